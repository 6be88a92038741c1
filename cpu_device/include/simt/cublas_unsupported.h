// SPDX-License-Identifier: MIT
// Functions of cuBLAS that the CPU device does not have. Calling one is an error at the student's
// line, which says what to call instead.
#pragma once

#include "simt/unsupported.h"

#define CONVKIT_SIMT_NO_REAL(name, instead)                                                 \
  CONVKIT_SIMT_NO_FUNCTION(cublasS##name,                                                   \
                           "cublasS" #name " is not supported on the CPU device; " instead) \
  CONVKIT_SIMT_NO_FUNCTION(cublasD##name,                                                   \
                           "cublasD" #name " is not supported on the CPU device; " instead)
#define CONVKIT_SIMT_NO_BLAS(name, instead) \
  CONVKIT_SIMT_NO_FUNCTION(name, #name " is not supported on the CPU device; " instead)

// products
CONVKIT_SIMT_NO_BLAS(cublasHgemmBatched, "call cublasHgemmStridedBatched")
CONVKIT_SIMT_NO_BLAS(cublasGemmBatchedEx,
                     "call cublasGemmStridedBatchedEx, or cublasSgemmBatched for floats")
CONVKIT_SIMT_NO_BLAS(cublasSgemmGroupedBatched, "call cublasSgemmBatched for each group")
CONVKIT_SIMT_NO_BLAS(cublasGemmGroupedBatchedEx, "call cublasSgemmBatched for each group")
#define CONVKIT_SIMT_USE_GEMM "call cublasSgemm or cublasDgemm on the whole matrix"
CONVKIT_SIMT_NO_REAL(symm, CONVKIT_SIMT_USE_GEMM)
CONVKIT_SIMT_NO_REAL(syrk, CONVKIT_SIMT_USE_GEMM)
CONVKIT_SIMT_NO_REAL(syr2k, CONVKIT_SIMT_USE_GEMM)
CONVKIT_SIMT_NO_REAL(syrkx, CONVKIT_SIMT_USE_GEMM)
CONVKIT_SIMT_NO_REAL(trmm, CONVKIT_SIMT_USE_GEMM)
CONVKIT_SIMT_NO_REAL(dgmm, "scale each column with cublasSscal, or all of them in a kernel")

// a matrix and a vector
#define CONVKIT_SIMT_USE_GEMV "call cublasSgemv or cublasDgemv on the whole matrix"
CONVKIT_SIMT_NO_REAL(symv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(trmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(gbmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(sbmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(spmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(tbmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(tpmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(syr, "call cublasSger or cublasDger with the vector twice")
CONVKIT_SIMT_NO_REAL(syr2, "call cublasSger or cublasDger twice")
CONVKIT_SIMT_NO_REAL(gemvStridedBatched, "call cublasSgemmStridedBatched with n = 1")
CONVKIT_SIMT_NO_REAL(gemvBatched, "call cublasSgemmBatched with n = 1")

// vectors
#define CONVKIT_SIMT_USE_KERNEL "write a kernel"
CONVKIT_SIMT_NO_REAL(rot, CONVKIT_SIMT_USE_KERNEL)
CONVKIT_SIMT_NO_REAL(rotm, CONVKIT_SIMT_USE_KERNEL)
CONVKIT_SIMT_NO_REAL(rotg, "compute it on the host")
CONVKIT_SIMT_NO_REAL(rotmg, "compute it on the host")
CONVKIT_SIMT_NO_BLAS(cublasAxpyEx, "call cublasSaxpy or cublasDaxpy")
CONVKIT_SIMT_NO_BLAS(cublasScalEx, "call cublasSscal or cublasDscal")
CONVKIT_SIMT_NO_BLAS(cublasDotEx, "call cublasSdot or cublasDdot")
CONVKIT_SIMT_NO_BLAS(cublasNrm2Ex, "call cublasSnrm2 or cublasDnrm2")
CONVKIT_SIMT_NO_BLAS(cublasAsumEx, "call cublasSasum or cublasDasum")
CONVKIT_SIMT_NO_BLAS(cublasCopyEx, "call cublasScopy or cublasDcopy")
CONVKIT_SIMT_NO_BLAS(cublasSwapEx, "call cublasSswap or cublasDswap")
CONVKIT_SIMT_NO_BLAS(cublasIamaxEx, "call cublasIsamax or cublasIdamax")
CONVKIT_SIMT_NO_BLAS(cublasIaminEx, "call cublasIsamin or cublasIdamin")

// systems of equations
#define CONVKIT_SIMT_NO_SOLVERS                                                               \
  "it has no solvers: substitute in a kernel, and call cublasSgemm on the blocks beside the " \
  "diagonal"
CONVKIT_SIMT_NO_REAL(trsm, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(trsmBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(trsv, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(getrfBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(getrsBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(getriBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(matinvBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(geqrfBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(gelsBatched, CONVKIT_SIMT_NO_SOLVERS)

// complex numbers
#define CONVKIT_SIMT_NO_COMPLEX(name)                                                 \
  CONVKIT_SIMT_NO_BLAS(cublasC##name, "it has no complex numbers: call cublasS" #name \
                                      " on real and imaginary parts")                 \
  CONVKIT_SIMT_NO_BLAS(cublasZ##name, "it has no complex numbers: call cublasD" #name \
                                      " on real and imaginary parts")
CONVKIT_SIMT_NO_COMPLEX(gemm)
CONVKIT_SIMT_NO_COMPLEX(gemmBatched)
CONVKIT_SIMT_NO_COMPLEX(gemmStridedBatched)
CONVKIT_SIMT_NO_COMPLEX(gemv)
CONVKIT_SIMT_NO_COMPLEX(geam)
CONVKIT_SIMT_NO_COMPLEX(axpy)
CONVKIT_SIMT_NO_COMPLEX(scal)
CONVKIT_SIMT_NO_COMPLEX(copy)
CONVKIT_SIMT_NO_COMPLEX(swap)

// 64-bit sizes and others
CONVKIT_SIMT_NO_BLAS(cublasSgemm_64, "call cublasSgemm")
CONVKIT_SIMT_NO_BLAS(cublasDgemm_64, "call cublasDgemm")
CONVKIT_SIMT_NO_BLAS(cublasGemmEx_64, "call cublasGemmEx")
CONVKIT_SIMT_NO_BLAS(cublasSgemmStridedBatched_64, "call cublasSgemmStridedBatched")
CONVKIT_SIMT_NO_BLAS(cublasSetSmCountTarget, "leave it out: nothing depends on it")
CONVKIT_SIMT_NO_BLAS(cublasLoggerConfigure, "print the statuses that the calls return")

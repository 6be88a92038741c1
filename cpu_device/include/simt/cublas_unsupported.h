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

// a matrix and a vector
#define CONVKIT_SIMT_USE_GEMV "call cublasSgemv or cublasDgemv on the whole matrix"
CONVKIT_SIMT_NO_REAL(gbmv, CONVKIT_SIMT_USE_GEMV)
CONVKIT_SIMT_NO_REAL(gemvStridedBatched, "call cublasSgemmStridedBatched with n = 1")
CONVKIT_SIMT_NO_REAL(gemvBatched, "call cublasSgemmBatched with n = 1")

// vectors
#define CONVKIT_SIMT_USE_KERNEL "write a kernel"
CONVKIT_SIMT_NO_REAL(rotm, CONVKIT_SIMT_USE_KERNEL)
CONVKIT_SIMT_NO_REAL(rotg, "compute it on the host")
CONVKIT_SIMT_NO_REAL(rotmg, "compute it on the host")

// systems of equations
#define CONVKIT_SIMT_NO_SOLVERS "of solvers it has cublasStrsm and cublasStrsv, for one matrix"
CONVKIT_SIMT_NO_REAL(trsmBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(getrfBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(getrsBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(getriBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(matinvBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(geqrfBatched, CONVKIT_SIMT_NO_SOLVERS)
CONVKIT_SIMT_NO_REAL(gelsBatched, CONVKIT_SIMT_NO_SOLVERS)

// complex numbers
CONVKIT_SIMT_NO_BLAS(cublasCgemmBatched, "call cublasCgemmStridedBatched")
CONVKIT_SIMT_NO_BLAS(cublasZgemmBatched, "call cublasZgemmStridedBatched")
#define CONVKIT_SIMT_NO_COMPLEX(name)                                        \
  CONVKIT_SIMT_NO_BLAS(cublasC##name,                                        \
                       "of complex numbers it has vectors, cublasCgemv and " \
                       "cublasCgemm")                                        \
  CONVKIT_SIMT_NO_BLAS(cublasZ##name,                                        \
                       "of complex numbers it has vectors, cublasZgemv and " \
                       "cublasZgemm")
CONVKIT_SIMT_NO_COMPLEX(geam)
CONVKIT_SIMT_NO_COMPLEX(hemv)
CONVKIT_SIMT_NO_COMPLEX(hemm)
CONVKIT_SIMT_NO_COMPLEX(herk)
CONVKIT_SIMT_NO_COMPLEX(symm)
CONVKIT_SIMT_NO_COMPLEX(syrk)
CONVKIT_SIMT_NO_COMPLEX(trmm)
CONVKIT_SIMT_NO_COMPLEX(trsm)

// 64-bit sizes and others
CONVKIT_SIMT_NO_BLAS(cublasSgemm_64, "call cublasSgemm")
CONVKIT_SIMT_NO_BLAS(cublasDgemm_64, "call cublasDgemm")
CONVKIT_SIMT_NO_BLAS(cublasGemmEx_64, "call cublasGemmEx")
CONVKIT_SIMT_NO_BLAS(cublasSgemmStridedBatched_64, "call cublasSgemmStridedBatched")
CONVKIT_SIMT_NO_BLAS(cublasSetSmCountTarget, "leave it out: nothing depends on it")
CONVKIT_SIMT_NO_BLAS(cublasLoggerConfigure, "print the statuses that the calls return")

// SPDX-License-Identifier: MIT
// CUDA's header of this name: products of cuBLASLt, D = alpha * op(A) * op(B) + beta * C with an
// epilogue, on the CPU device by cublasGemmStridedBatchedEx (link with -lcublasLt). Names and
// values are CUDA's. Matrices are column-major; types, compute types and leading dimensions are
// those of cublasGemmEx.
#pragma once

#define CUBLASLT_H_

#include <stdint.h>

#include "cublas_v2.h"

typedef struct cublasLtContext* cublasLtHandle_t;

typedef enum { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1 } cublasLtOrder_t;

typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;

typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;

typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cublasLtMatmulPreferenceAttributes_t;

// The device computes DEFAULT, RELU, GELU and BIAS, alone and together; it refuses the others.
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;

typedef struct {
  cudaDataType type;
  int32_t order;
  uint64_t rows, cols;
  int64_t ld;
  int32_t batch_count;
  int64_t batch_offset;  // in elements
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;

typedef struct {
  int32_t compute_type, scale_type, pointer_mode, trans_a, trans_b;
  uint32_t epilogue;
  const void* bias;
  int32_t bias_type;  // -1: that of D
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;

typedef struct {
  uint64_t workspace_bytes;
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;

typedef struct {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;

typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

// A handle of cuBLAS is one of cuBLASLt, too.
static inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
static inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
static inline size_t cublasLtGetVersion(void) {
  return 130000;
}

namespace convkit::simt {

template <class T>
cublasStatus_t lt_take(T& field, const void* value, size_t bytes) {
  if (!value || bytes != sizeof field) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(&field, value, sizeof field);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace convkit::simt

static inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout,
                                                      cudaDataType type, uint64_t rows,
                                                      uint64_t cols, int64_t ld) {
  if (!layout) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = {type, CUBLASLT_ORDER_COL, rows, cols, ld, 1, 0};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout,
                                                        cudaDataType type, uint64_t rows,
                                                        uint64_t cols, int64_t ld) {
  if (!layout) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = new cublasLtMatrixLayoutOpaque_t;
  return cublasLtMatrixLayoutInit(*layout, type, rows, cols, ld);
}
static inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatrixLayoutSetAttribute(
    cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const void* value,
    size_t bytes) {
  using convkit::simt::lt_take;
  if (!layout) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return lt_take(layout->type, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return lt_take(layout->order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return lt_take(layout->rows, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return lt_take(layout->cols, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return lt_take(layout->ld, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return lt_take(layout->batch_count, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return lt_take(layout->batch_offset, value, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t desc,
                                                    cublasComputeType_t compute,
                                                    cudaDataType_t scale) {
  if (!desc) return CUBLAS_STATUS_INVALID_VALUE;
  *desc = {static_cast<int32_t>(compute),
           static_cast<int32_t>(scale),
           0,
           CUBLAS_OP_N,
           CUBLAS_OP_N,
           CUBLASLT_EPILOGUE_DEFAULT,
           nullptr,
           -1};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc,
                                                      cublasComputeType_t compute,
                                                      cudaDataType_t scale) {
  if (!desc) return CUBLAS_STATUS_INVALID_VALUE;
  *desc = new cublasLtMatmulDescOpaque_t;
  return cublasLtMatmulDescInit(*desc, compute, scale);
}
static inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete desc;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulDescSetAttribute(
    cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, const void* value,
    size_t bytes) {
  using convkit::simt::lt_take;
  if (!desc) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return lt_take(desc->compute_type, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return lt_take(desc->scale_type, value, bytes);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return lt_take(desc->pointer_mode, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return lt_take(desc->trans_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return lt_take(desc->trans_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return lt_take(desc->epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return lt_take(desc->bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return lt_take(desc->bias_type, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return CUBLAS_STATUS_SUCCESS;  // of epilogues that are refused
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

static inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* pref) {
  if (!pref) return CUBLAS_STATUS_INVALID_VALUE;
  *pref = new cublasLtMatmulPreferenceOpaque_t{0};
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t pref) {
  delete pref;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t, const void* value,
    size_t) {
  return pref && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

namespace convkit::simt {

// What the device has besides what cublasGemmEx judges: SUCCESS, or why not.
static inline cublasStatus_t lt_status(const cublasLtMatmulDescOpaque_t& desc,
                                       const cublasLtMatrixLayoutOpaque_t& a,
                                       const cublasLtMatrixLayoutOpaque_t& b,
                                       const cublasLtMatrixLayoutOpaque_t& c,
                                       const cublasLtMatrixLayoutOpaque_t& d) {
  const bool turned_a = desc.trans_a != CUBLAS_OP_N, turned_b = desc.trans_b != CUBLAS_OP_N;
  const uint64_t m = turned_a ? a.cols : a.rows, k = turned_a ? a.rows : a.cols;
  if (m != d.rows || k != (turned_b ? b.cols : b.rows) || d.cols != (turned_b ? b.rows : b.cols)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (c.rows != d.rows || c.cols != d.cols || c.type != d.type) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto* each : {&a, &b, &c, &d}) {
    if (each->order != CUBLASLT_ORDER_COL) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (each->batch_count != d.batch_count) return CUBLAS_STATUS_INVALID_VALUE;
  }
  const uint32_t known = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU |
                         CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_GELU;
  if ((desc.epilogue & ~known) != 0 || desc.pointer_mode != 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool has_epilogue = desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT;
  if (has_epilogue && d.type != CUDA_R_32F && d.type != CUDA_R_16F) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (desc.bias_type >= 0 && desc.bias_type != d.type) return CUBLAS_STATUS_NOT_SUPPORTED;
  // cuBLAS 13 refuses a bias that is set and not used, where the product is one of several.
  if (desc.bias && !has_epilogue && d.batch_count > 1) return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

// A block for each column of each matrix.
template <class T>
__global__ void lt_epilogue(uint32_t epilogue, const T* bias, T* d, uint64_t rows, int64_t ld,
                            int64_t batch_offset) {
  T* column = d + blockIdx.y * batch_offset + blockIdx.x * ld;
  for (uint64_t i = threadIdx.x; i < rows; i += blockDim.x) {
    float x = static_cast<float>(column[i]);
    if (epilogue & CUBLASLT_EPILOGUE_BIAS) x += static_cast<float>(bias[i]);
    if (epilogue & CUBLASLT_EPILOGUE_RELU) x = x > 0 ? x : 0;
    if (epilogue & CUBLASLT_EPILOGUE_GELU) {
      x = 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
    }
    column[i] = static_cast<T>(x);
  }
}

template <class T>
cublasStatus_t lt_finish(const cublasLtMatmulDescOpaque_t& desc, void* out,
                         const cublasLtMatrixLayoutOpaque_t& d, cudaStream_t stream) {
  if ((desc.epilogue & CUBLASLT_EPILOGUE_BIAS) && !desc.bias) return CUBLAS_STATUS_INVALID_VALUE;
  CONVKIT_SIMT_LAUNCH_WITH(
      (lt_epilogue<T>), "cublasLtMatmul",
      LaunchConfig(dim3(static_cast<unsigned>(d.cols), static_cast<unsigned>(d.batch_count)),
                   dim3(32), 0, stream))
  (desc.epilogue, static_cast<const T*>(desc.bias), static_cast<T*>(out), d.rows, d.ld,
   d.batch_offset);
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace convkit::simt

static inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
    int* found) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d || !preference || wanted < 1 || !results || !found) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *found = 0;
  const cublasStatus_t status = convkit::simt::lt_status(*desc, *a, *b, *c, *d);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

static inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                            const void* alpha, const void* A,
                                            cublasLtMatrixLayout_t a, const void* B,
                                            cublasLtMatrixLayout_t b, const void* beta,
                                            const void* C, cublasLtMatrixLayout_t c, void* D,
                                            cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*,
                                            void*, size_t, cudaStream_t stream) {
  const auto blas = reinterpret_cast<cublasHandle_t>(handle);
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d || !alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  cublasStatus_t status = convkit::simt::lt_status(*desc, *a, *b, *c, *d);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  cudaStream_t before = nullptr;
  status = cublasGetStream(blas, &before);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool wide = desc->scale_type == CUDA_R_64F;
  const bool narrow = desc->scale_type == CUDA_R_16F;
  const size_t element = d->type == CUDA_R_64F ? 8 : d->type == CUDA_R_32F ? 4 : 2;
  const bool adds = wide     ? *static_cast<const double*>(beta) != 0
                    : narrow ? static_cast<float>(*static_cast<const __half*>(beta)) != 0
                             : *static_cast<const float*>(beta) != 0;
  if (adds && C != D) {
    for (int i = 0; i < d->batch_count; ++i) {
      const auto* from = static_cast<const char*>(C) + i * c->batch_offset * int64_t(element);
      auto* to = static_cast<char*>(D) + i * d->batch_offset * int64_t(element);
      if (cudaMemcpy2DAsync(to, size_t(d->ld) * element, from, size_t(c->ld) * element,
                            d->rows * element, d->cols, cudaMemcpyDeviceToDevice,
                            stream) != cudaSuccess) {
        return CUBLAS_STATUS_EXECUTION_FAILED;
      }
    }
  }
  cublasSetStream(blas, stream);
  status = cublasGemmStridedBatchedEx(
      blas, static_cast<cublasOperation_t>(desc->trans_a),
      static_cast<cublasOperation_t>(desc->trans_b), static_cast<int>(d->rows),
      static_cast<int>(d->cols), static_cast<int>(desc->trans_a == CUBLAS_OP_N ? a->cols : a->rows),
      alpha, A, a->type, static_cast<int>(a->ld), a->batch_offset, B, b->type,
      static_cast<int>(b->ld), b->batch_offset, beta, D, d->type, static_cast<int>(d->ld),
      d->batch_offset, d->batch_count, static_cast<cublasComputeType_t>(desc->compute_type),
      CUBLAS_GEMM_DEFAULT);
  cublasSetStream(blas, before);
  if (status != CUBLAS_STATUS_SUCCESS || desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT) return status;
  return d->type == CUDA_R_32F ? convkit::simt::lt_finish<float>(*desc, D, *d, stream)
                               : convkit::simt::lt_finish<__half>(*desc, D, *d, stream);
}

// SPDX-License-Identifier: MIT
// Task 04.7: the library's product. For cuBLAS, a matrix is column-major: our matrix
// [rows][columns] is [columns][rows] there, in the same memory. So it computes the transposed
// product, y^T = u^T w^T, and nothing has to be transposed.
#include <cublas_v2.h>

#include "conv_arguments.cuh"
// BEGIN SOLUTION(04.7)

#include <algorithm>
// END SOLUTION

cudaError_t conv2d_cublas(cublasHandle_t handle, const float* d_x, const float* d_w,
                          const float* d_b, float* d_y, const Conv2dShape* shape, void* d_workspace,
                          size_t workspace_bytes, cudaStream_t stream) {
  // BEGIN SOLUTION(04.7)
  //> // TODO(04.7): conv2d_gemm with cublasSgemmStridedBatched in place of your own product. The
  //> // library works on the stream that cublasSetStream gives it.
  //> CONVKIT_TODO("04.7");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  if (s.n == 0) return cudaSuccess;
  if (!valid_call(d_x, d_w, d_b, d_y, s) || !d_workspace) return cudaErrorInvalidValue;
  const size_t fitting = workspace_bytes / conv2d_gemm_workspace(shape);
  if (fitting == 0) return cudaErrorInvalidValue;
  const int at_a_time = static_cast<int>(std::min(fitting, static_cast<size_t>(s.n)));

  if (const cudaError_t error = fill_with_bias(d_b, d_y, s, stream)) return error;
  if (cublasSetStream(handle, stream) != CUBLAS_STATUS_SUCCESS) return cudaErrorUnknown;
  float* d_u = static_cast<float*>(d_workspace);
  const int rows = matrix_rows(s), columns = matrix_columns(s);
  for (int first = 0; first < s.n; first += at_a_time) {
    Conv2dShape part = s;
    part.n = std::min(at_a_time, s.n - first);
    const float* d_images = d_x + int64_t(first) * s.c * s.h * s.w;
    if (const cudaError_t error = unroll_elements(d_images, d_u, &part, stream)) return error;
    // y^T [columns][m] = u^T [columns][rows] times w^T [rows][m], column-major. The leading
    // dimension is the length of one of our rows. All images share the filters: their step is 0.
    const float one = 1;
    const cublasStatus_t status = cublasSgemmStridedBatched(
        handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, s.m, rows, &one, d_u, columns,
        int64_t(rows) * columns, d_w, rows, 0, &one, d_y + int64_t(first) * s.m * columns, columns,
        int64_t(s.m) * columns, part.n);
    if (status != CUBLAS_STATUS_SUCCESS) return cudaErrorUnknown;
  }
  return cudaSuccess;
  // END SOLUTION
}

// SPDX-License-Identifier: MIT
// Task 05.4: both gradients as matrix products with the unrolled image, as fast as possible.
#include "arguments.cuh"
#include "taps.cuh"
// BEGIN SOLUTION(05.4)
//
// The unrolled matrices are never stored. For any shape, a tiled product whose loaders compute
// addresses: fast/gemm_products.cuh and fast/implicit_gemm.cuh. For small kernels with stride and
// dilation 1 there is a faster way to each gradient, with the steps that lead to it; each step can
// take the place of the file in fast/:
//   dx, fast/xgrad_patch.cuh    ladder/xgrad_tiled.cuh   dy through tiles in shared memory
//                               ladder/xgrad_patch.cuh   a thread owns a patch of dx
//   dw, fast/wgrad_walk.cuh     ladder/wgrad_taps.cuh    a thread sums all taps of a filter
//                               ladder/wgrad_rows.cuh    and walks down a column
//                               ladder/wgrad_maps.cuh    for several filters at once
#include "fast/gemm_products.cuh"
#include "fast/wgrad_walk.cuh"
#include "fast/xgrad_patch.cuh"
#include "second_level.cuh"
// END SOLUTION

size_t conv2d_xgrad_gemm_workspace(const Conv2dShape* shape) {
  // BEGIN SOLUTION(05.4)
  //> // TODO(05.4): how many bytes conv2d_xgrad_gemm needs, for a part of the mini-batch at a time.
  //> (void)shape;
  //> return 0;
  (void)shape;
  return 0;
  // END SOLUTION
}

cudaError_t conv2d_xgrad_gemm(const float* d_dy, const float* d_w, float* d_dx,
                              const Conv2dShape* shape, int accumulate, void* d_workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  // BEGIN SOLUTION(05.4)
  //> // TODO(05.4): the gradient of the unrolled matrix is w^T dy; rolled back, it is dx. Begin by
  //> // calling conv2d_xgrad_gather.
  //> CONVKIT_TODO("05.4");
  //> return cudaSuccess;
  (void)d_workspace, (void)workspace_bytes;
  const Conv2dShape& s = *shape;
  const cudaError_t bad =
      check_arguments({{d_dy, s.y_size()}, {d_w, s.w_size()}, {d_dx, s.x_size()}}, s);
  if (bad != cudaSuccess) return bad;
  if (patch::supports(s)) return patch::xgrad(d_dy, d_w, d_dx, s, accumulate != 0, stream);
  const implicit::XgradProduct product(d_dy, d_w, d_dx, s, accumulate != 0);
  return implicit::launch(product, s.c, s.x_size() / s.c, 1, stream);
  // END SOLUTION
}

size_t conv2d_wgrad_gemm_workspace(const Conv2dShape* shape) {
  // BEGIN SOLUTION(05.4)
  //> // TODO(05.4): how many bytes conv2d_wgrad_gemm needs.
  //> (void)shape;
  //> return 0;
  const int parts = walk::supports(*shape) ? walk::parts_of(*shape) : implicit::wgrad_parts(*shape);
  return sizeof(float) * shape->w_size() * parts;
  // END SOLUTION
}

cudaError_t conv2d_wgrad_gemm(const float* d_x, const float* d_dy, float* d_dw,
                              const Conv2dShape* shape, int accumulate, void* d_workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  // BEGIN SOLUTION(05.4)
  //> // TODO(05.4): dy times the transposed unrolled matrix of x. Begin by calling conv2d_wgrad.
  //> CONVKIT_TODO("05.4");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const cudaError_t bad =
      check_arguments({{d_x, s.x_size()}, {d_dy, s.y_size()}, {d_dw, s.w_size()}}, s);
  if (bad != cudaSuccess) return bad;
  const size_t needed = conv2d_wgrad_gemm_workspace(shape);
  if (!d_workspace || workspace_bytes < needed) return cudaErrorInvalidValue;
  float* partial = static_cast<float*>(d_workspace);
  const int parts = static_cast<int>(needed / sizeof(float) / s.w_size());
  const cudaError_t error =
      walk::supports(s) ? walk::wgrad_parts(d_x, d_dy, partial, s, stream)
                        : implicit::launch(implicit::WgradProduct(d_x, d_dy, partial, s, parts),
                                           s.m, s.w_size() / s.m, parts, stream);
  if (error != cudaSuccess) return error;
  return second_level::add_parts(partial, d_dw, s.w_size(), parts, accumulate != 0, stream);
  // END SOLUTION
}

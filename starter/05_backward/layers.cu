// SPDX-License-Identifier: MIT
// Task 05.6: back through activations and the dense layer.
#include "backward.h"
#include "convkit/grid_stride_range.h"

namespace {

// dx = dy * slope(y), element by element.
template <class Slope>
__global__ void activation_backward_kernel(const float* __restrict__ y,
                                           const float* __restrict__ dy, float* __restrict__ dx,
                                           int size, Slope slope) {
  for (const int64_t at : grid_stride_range(size)) dx[at] = slope(y[at], dy[at]);
}

template <class Slope>
cudaError_t launch(const float* y, const float* dy, float* dx, int size, Slope slope,
                   cudaStream_t stream) {
  constexpr int kThreads = 256;
  activation_backward_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, stream>>>(
      y, dy, dx, size, slope);
  return cudaGetLastError();
}

// TODO(05.6): a struct with an operator() for each activation, and the kernels of the dense
// layer. ReLU, to begin with:
//   struct Relu {
//     __device__ float operator()(float y, float dy) const { return ...; }
//   };

}  // namespace

cudaError_t relu_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                          cudaStream_t stream) {
  // TODO(05.6): launch(d_y, d_dy, d_dx, size, Relu{}, stream)
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

cudaError_t leaky_relu_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                                float slope, cudaStream_t stream) {
  // TODO(05.6): the slope is a member of the struct.
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

cudaError_t sigmoid_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                             cudaStream_t stream) {
  // TODO(05.6): the derivative of the sigmoid, in terms of its result.
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

cudaError_t tanh_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                          cudaStream_t stream) {
  // TODO(05.6): the derivative of tanh, in terms of its result.
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

cudaError_t dense_xgrad(const float* d_dy, const float* d_w, float* d_dx, int n, int in, int out,
                        cudaStream_t stream) {
  // TODO(05.6): dx [n][in] = dy [n][out] w [out][in]
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

cudaError_t dense_wgrad(const float* d_x, const float* d_dy, float* d_dw, int n, int in, int out,
                        int accumulate, cudaStream_t stream) {
  // TODO(05.6): dw [out][in], a sum over the images
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

cudaError_t dense_bgrad(const float* d_dy, float* d_db, int n, int out, int accumulate,
                        cudaStream_t stream) {
  // TODO(05.6): a dense layer is a convolution of images of 1 x 1: db of task 05.3
  CONVKIT_TODO("05.6");
  return cudaSuccess;
}

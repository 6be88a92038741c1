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

// BEGIN SOLUTION(05.6)
//> // TODO(05.6): a struct with an operator() for each activation, and the kernels of the dense
//> // layer. ReLU, to begin with:
//> //   struct Relu {
//> //     __device__ float operator()(float y, float dy) const { return ...; }
//> //   };
struct Relu {
  __device__ float operator()(float y, float dy) const { return y > 0.0f ? dy : 0.0f; }
};

struct LeakyRelu {
  float slope;
  __device__ float operator()(float y, float dy) const { return y > 0.0f ? dy : slope * dy; }
};

struct Sigmoid {
  __device__ float operator()(float y, float dy) const { return dy * y * (1.0f - y); }
};

struct Tanh {
  __device__ float operator()(float y, float dy) const { return dy * (1.0f - y * y); }
};

constexpr int kDenseThreads = 256;

// dx [n][in] = dy [n][out] w [out][in]
__global__ void dense_xgrad_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                                   float* __restrict__ dx, int n, int in, int out) {
  for (const int64_t at : grid_stride_range(int64_t(n) * in)) {
    const int64_t image = at / in, i = at % in;
    float sum = 0.0f;
    for (int o = 0; o < out; ++o) sum += dy[image * out + o] * w[int64_t(o) * in + i];
    dx[at] = sum;
  }
}

// dw [out][in] = dy^T [out][n] x [n][in]
__global__ void dense_wgrad_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                                   float* __restrict__ dw, int n, int in, int out,
                                   bool accumulate) {
  for (const int64_t at : grid_stride_range(int64_t(out) * in)) {
    const int64_t o = at / in, i = at % in;
    float sum = accumulate ? dw[at] : 0.0f;
    for (int64_t image = 0; image < n; ++image) sum += dy[image * out + o] * x[image * in + i];
    dw[at] = sum;
  }
}
// END SOLUTION

}  // namespace

cudaError_t relu_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                          cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): launch(d_y, d_dy, d_dx, size, Relu{}, stream)
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  return launch(d_y, d_dy, d_dx, size, Relu{}, stream);
  // END SOLUTION
}

cudaError_t leaky_relu_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                                float slope, cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): the slope is a member of the struct.
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  return launch(d_y, d_dy, d_dx, size, LeakyRelu{slope}, stream);
  // END SOLUTION
}

cudaError_t sigmoid_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                             cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): the derivative of the sigmoid, in terms of its result.
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  return launch(d_y, d_dy, d_dx, size, Sigmoid{}, stream);
  // END SOLUTION
}

cudaError_t tanh_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                          cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): the derivative of tanh, in terms of its result.
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  return launch(d_y, d_dy, d_dx, size, Tanh{}, stream);
  // END SOLUTION
}

cudaError_t dense_xgrad(const float* d_dy, const float* d_w, float* d_dx, int n, int in, int out,
                        cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): dx [n][in] = dy [n][out] w [out][in]
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  dense_xgrad_kernel<<<grid_stride_blocks(int64_t(n) * in, kDenseThreads), kDenseThreads, 0,
                       stream>>>(d_dy, d_w, d_dx, n, in, out);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t dense_wgrad(const float* d_x, const float* d_dy, float* d_dw, int n, int in, int out,
                        int accumulate, cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): dw [out][in], a sum over the images
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  dense_wgrad_kernel<<<grid_stride_blocks(int64_t(out) * in, kDenseThreads), kDenseThreads, 0,
                       stream>>>(d_x, d_dy, d_dw, n, in, out, accumulate != 0);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t dense_bgrad(const float* d_dy, float* d_db, int n, int out, int accumulate,
                        cudaStream_t stream) {
  // BEGIN SOLUTION(05.6)
  //> // TODO(05.6): a dense layer is a convolution of images of 1 x 1: db of task 05.3
  //> CONVKIT_TODO("05.6");
  //> return cudaSuccess;
  Conv2dShape shape;  // of 1 x 1 images: the rest is 1
  shape.n = n, shape.m = out;
  return conv2d_bgrad(d_dy, d_db, &shape, accumulate, stream);
  // END SOLUTION
}

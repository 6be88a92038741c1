// SPDX-License-Identifier: MIT
// Task 06.6: a whole network through the library. A dense layer is a convolution whose filter is as
// large as its image.
#include <algorithm>

#include "convolution.cuh"
#include "cudnn_port.h"

// BEGIN SOLUTION(06.6)
//> // TODO(06.6): the shapes of the five layers first.
namespace {

constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
constexpr size_t kAlignment = 256;  // of cudaMalloc

Conv2dShape layer(int n, int c, int image, int m, int kernel, int pad = 0) {
  Conv2dShape s;
  s.n = n, s.c = c, s.m = m;
  s.h = s.w = image;
  s.kh = s.kw = kernel;
  s.pad_h = s.pad_w = pad;
  return s;
}

struct Lenet {
  explicit Lenet(int n)
      : conv1(layer(n, 1, 28, 6, 5, 2)),
        conv2(layer(n, 6, 14, 16, 5)),
        fc1(layer(n, 16, 5, 120, 5)),
        fc2(layer(n, 120, 1, 84, 1)),
        fc3(layer(n, 84, 1, 10, 1)) {}
  Conv2dShape conv1, conv2, fc1, fc2, fc3;

  // The size of each of two buffers: a layer reads one and writes the other. conv1's output is
  // largest.
  size_t buffer_bytes() const {
    const size_t bytes = size_t(conv1.y_size()) * sizeof(float);
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  // The library's workspace, for the layer that needs most.
  cudnnStatus_t library_bytes(cudnnHandle_t handle, size_t* most) const {
    *most = 0;
    for (const Conv2dShape* shape : {&conv1, &conv2, &fc1, &fc2, &fc3}) {
      size_t bytes = 0;
      CUDNN_TRY(conv2d_workspace(handle, shape, kAlgorithm, &bytes));
      *most = std::max(*most, bytes);
    }
    return CUDNN_STATUS_SUCCESS;
  }
};

// Everything that calls need besides a layer's own tensors.
struct Run {
  cudnnHandle_t handle;
  void* workspace;
  size_t workspace_bytes;
  cudaStream_t stream;
  ActivationDescriptor relu;

  // y = relu(conv(x, w) + b) in one call. alpha2 is 0, so z is not read; it must be described.
  cudnnStatus_t conv_bias_relu(const Conv2dShape& shape, const float* x, const float* w,
                               const float* b, float* y) const {
    const float one = 1.0f, zero = 0.0f;
    Convolution c;
    CUDNN_TRY(c.describe(shape));
    return cudnnConvolutionBiasActivationForward(
        handle, &one, c.x.get(), x, c.w.get(), w, c.conv.get(), kAlgorithm, workspace,
        workspace_bytes, &zero, c.y.get(), y, c.bias.get(), b, relu.get(), c.y.get(), y);
  }

  // 2 x 2, stride 2, over the output of a convolution.
  cudnnStatus_t halve(const Conv2dShape& before, const float* x, float* y) const {
    Pool2dShape s;
    s.n = before.n, s.c = before.m, s.h = before.oh(), s.w = before.ow();
    return pool2d_forward(handle, &s, CUDNN_POOLING_MAX, x, y, stream);
  }
};

}  // namespace
// END SOLUTION

cudnnStatus_t lenet_workspace(cudnnHandle_t handle, int n, size_t* bytes) {
  // BEGIN SOLUTION(06.6)
  //> // TODO(06.6): two buffers for activations, and the largest workspace of the five layers.
  //> CONVKIT_TODO("06.6");
  //> (void)handle, (void)n, (void)bytes;
  //> return CUDNN_STATUS_SUCCESS;
  const Lenet net(n);
  CUDNN_TRY(net.library_bytes(handle, bytes));
  *bytes += 2 * net.buffer_bytes();
  return CUDNN_STATUS_SUCCESS;
  // END SOLUTION
}

cudnnStatus_t lenet_forward(cudnnHandle_t handle, const float* d_x, const LenetWeights* weights,
                            float* d_y, int n, void* d_workspace, size_t workspace_bytes,
                            cudaStream_t stream) {
  // BEGIN SOLUTION(06.6)
  //> // TODO(06.6): cudnnConvolutionBiasActivationForward for the layers with ReLU,
  //> // pool2d_forward, conv2d_forward for fc3, softmax_forward.
  //> CONVKIT_TODO("06.6");
  //> (void)handle, (void)d_x, (void)weights, (void)d_y, (void)n, (void)d_workspace;
  //> (void)workspace_bytes, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  const Lenet net(n);
  const LenetWeights& p = *weights;
  const size_t buffer = net.buffer_bytes();
  if (!d_workspace || workspace_bytes < 2 * buffer) return CUDNN_STATUS_BAD_PARAM;
  char* const memory = static_cast<char*>(d_workspace);
  float* const here = reinterpret_cast<float*>(memory);
  float* const there = reinterpret_cast<float*>(memory + buffer);
  Run run{handle, memory + 2 * buffer, workspace_bytes - 2 * buffer, stream, {}};
  CUDNN_TRY(run.relu.create());
  CUDNN_TRY(cudnnSetActivationDescriptor(run.relu.get(), CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN,
                                         0.0));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  CUDNN_TRY(run.conv_bias_relu(net.conv1, d_x, p.conv1_w, p.conv1_b, here));
  CUDNN_TRY(run.halve(net.conv1, here, there));
  CUDNN_TRY(run.conv_bias_relu(net.conv2, there, p.conv2_w, p.conv2_b, here));
  CUDNN_TRY(run.halve(net.conv2, here, there));
  CUDNN_TRY(run.conv_bias_relu(net.fc1, there, p.fc1_w, p.fc1_b, here));
  CUDNN_TRY(run.conv_bias_relu(net.fc2, here, p.fc2_w, p.fc2_b, there));
  CUDNN_TRY(conv2d_forward(handle, &net.fc3, kAlgorithm, 1.0f, there, p.fc3_w, p.fc3_b, 0.0f, here,
                           run.workspace, run.workspace_bytes, stream));
  return softmax_forward(handle, here, d_y, n, 10, stream);
  // END SOLUTION
}

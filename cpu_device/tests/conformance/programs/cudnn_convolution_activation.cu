// SPDX-License-Identifier: MIT
// A convolution with bias, a second addend and an activation in one call. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x_desc(1, 1, 3, 3), y_desc(1, 2, 2, 2), bias_desc(1, 2, 1, 1);
  const Filter w_desc(2, 1, 2, 2);
  const Convolution conv(0, 0, 1, 1);
  const Activation relu, identity;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  CHECK(cudnnSetActivationDescriptor(identity, CUDNN_ACTIVATION_IDENTITY, CUDNN_NOT_PROPAGATE_NAN,
                                     0));
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x_desc, w_desc, conv, y_desc, kAlgorithm,
                                                &bytes));
  const DeviceArray<char> workspace(bytes + 1);
  // The windows are 1 2 over 3 4, and 1 0 over 0 -1.
  const DeviceArray<float> x{1, 2, 3, 4, 5, 6, 7, 8, 9}, w{1, 2, 3, 4, 1, 0, 0, -1};
  const DeviceArray<float> bias{-50, 3}, z{1, 1, 1, 1, 2, 4, 6, 8}, y(8);
  const auto run = [&](const char* name, float alpha1, float alpha2, const float* addend,
                       cudnnActivationDescriptor_t activation) {
    CHECK(cudnnConvolutionBiasActivationForward(
        dnn, &alpha1, x_desc, x.data(), w_desc, w.data(), conv, kAlgorithm, workspace.data(), bytes,
        &alpha2, y_desc, addend, bias_desc, bias.data(), activation, y_desc, y.data()));
    show(name, y);
  };
  run("relu", 1, 0, z.data(), relu);
  run("identity", 1, 0, z.data(), identity);
  run("twice, and half of z", 2, 0.5f, z.data(), identity);
  run("z in place", 1, 1, y.data(), relu);
}

/* Prints:
relu: 0 0 17 27 0 0 0 0
identity: -13 -3 17 27 -1 -1 -1 -1
twice, and half of z: 24.5 44.5 84.5 104.5 -4 -3 -2 -1
z in place: 11.5 41.5 101.5 131.5 0 0 0 0
*/

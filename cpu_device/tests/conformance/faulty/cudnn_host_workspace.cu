// SPDX-License-Identifier: MIT
// The workspace is memory of the host. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 4, 8, 8), y(1, 4, 6, 6);
  const Filter w(4, 4, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(256, 1)), filter(numbers(144, 2)), result(144);
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, kAlgorithm, &bytes));
  std::vector<char> workspace(bytes);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                kAlgorithm, workspace.data(), bytes, &zero, y, result.data()));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cudnnConvolutionForward"
line = 16
mentions = ["argument workSpace of cudnnConvolutionForward"]
mode = "any"
*/

// SPDX-License-Identifier: MIT
// The workspace is allocated for another algorithm, which needs less of it. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 4, 8, 8), y(1, 4, 6, 6);
  const Filter w(4, 4, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(256, 1)), filter(numbers(144, 2)), result(144);
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
  size_t bytes = 0, less = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, kAlgorithm, &bytes));
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(
      dnn, x, w, conv, y, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &less));
  const DeviceArray<char> workspace(less);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                kAlgorithm, workspace.data(), bytes, &zero, y, result.data()));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "cudnnConvolutionForward"
line = 18
mentions = ["writes workSpace, 5184 elements of 1 bytes", "5040 bytes past the end of allocation 4 (144 bytes"]
mode = "any"
*/

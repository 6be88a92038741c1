// SPDX-License-Identifier: MIT
// The image is given to the library where the host has it. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 1, 4, 4), y(1, 2, 2, 2);
  const Filter w(2, 1, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const std::vector<float> image = numbers(16, 1);
  const DeviceArray<float> filter(numbers(18, 2)), result(8);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, y,
                                result.data()));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cudnnConvolutionForward"
line = 13
mentions = ["argument x of cudnnConvolutionForward"]
mode = "any"
*/

// SPDX-License-Identifier: MIT
// The gradient of the filter is to go to an array of the host. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 1, 4, 4), dy(1, 2, 2, 2);
  const Filter dw(2, 1, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(16, 1)), above(numbers(8, 2));
  std::vector<float> gradient(18);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionBackwardFilter(dnn, &one, x, image.data(), dy, above.data(), conv,  // fault
                                       CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &zero, dw,
                                       gradient.data()));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cudnnConvolutionBackwardFilter"
line = 13
mentions = ["argument dw of cudnnConvolutionBackwardFilter"]
mode = "any"
*/

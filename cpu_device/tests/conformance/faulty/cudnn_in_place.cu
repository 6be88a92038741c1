// SPDX-License-Identifier: MIT
// The result of a convolution takes the place of its input. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 2, 6, 6);
  const Filter w(2, 2, 3, 3);
  const Convolution conv(1, 1, 1, 1);
  const DeviceArray<float> image(numbers(72, 1)), filter(numbers(36, 2));
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, x,
                                image.data()));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "race_across_blocks"
kernel = "cudnnConvolutionForward"
line = 12
mentions = ["writes element 0 (byte 0) of allocation 1 (288 bytes", "through its argument y and reads it through x"]
mode = "check"
*/

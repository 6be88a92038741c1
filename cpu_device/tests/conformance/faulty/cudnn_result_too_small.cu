// SPDX-License-Identifier: MIT
// The result of a convolution is allocated for one channel instead of two.
// Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 1, 4, 4), y(1, 2, 2, 2);
  const Filter w(2, 1, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(16, 1)), filter(numbers(18, 2)), result(4);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, y,
                                result.data()));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "cudnnConvolutionForward"
line = 13
mentions = ["writes y, 8 elements of 4 bytes", "16 bytes past the end of allocation 3 (16 bytes"]
mode = "any"
*/

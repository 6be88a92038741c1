// SPDX-License-Identifier: MIT
// The pictures are halves, and their descriptor says that they are floats. Link with -lcudnn.
#include <cuda_fp16.h>

#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(2, 3, 4, 4), y(2, 3, 2, 2);
  const DeviceArray<__half> in(std::vector<__half>(96, __float2half(1)));
  const DeviceArray<float> out(24);
  const Pooling pool;
  CHECK(cudnnSetPooling2dDescriptor(pool, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2,
                                    2));
  const float one = 1, zero = 0;
  CHECK(cudnnPoolingForward(dnn, pool, &one, x, in.data(), &zero, y, out.data()));  // fault
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "cudnnPoolingForward"
line = 16
mentions = ["reads x, 96 elements of 4 bytes", "192 bytes past the end of allocation 1 (192 bytes"]
mode = "any"
*/

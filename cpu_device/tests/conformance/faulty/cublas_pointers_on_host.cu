// SPDX-License-Identifier: MIT
// The arrays of pointers for a batch lie on the host. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(4, 2)), c(4);
  const std::vector<const float*> as{a.data()}, bs{b.data()};
  const std::vector<float*> cs{c.data()};
  const float one = 1, zero = 0;
  CHECK(cublasSgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                           as.data(), 2, bs.data(), 2, &zero, cs.data(), 2, 1));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cublasSgemmBatched"
line = 11
mentions = ["argument Aarray of cublasSgemmBatched"]
mode = "any"
*/

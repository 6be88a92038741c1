// SPDX-License-Identifier: MIT
// The columns of the matrix overlap: the call succeeds, and y stays as it was. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(8, 1)), x{1, 1}, y(4);
  const float one = 1, zero = 0;
  CHECK(cublasSgemv(blas, CUBLAS_OP_N, 4, 2, &one, a.data(), 2, x.data(), 1, &zero,  // fault
                    y.data(), 1));
  show("y", y);
  return y.host()[0] == a.host()[0] + a.host()[4] ? 0 : 1;
}

/* Reports:
kind = "ignored_call"
kernel = "cublasSgemv"
line = 9
mentions = ["did nothing", "argument lda is 2 and must be at least m", "CUBLAS_STATUS_SUCCESS"]
mode = "any"
*/

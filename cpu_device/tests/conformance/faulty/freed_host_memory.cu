// SPDX-License-Identifier: MIT
// Memory of malloc is given to cudaFree.
#include "../check.h"

int main() {
  void* buffer = std::malloc(64);
  CHECK(cudaFree(buffer));  // fault
  std::free(buffer);
}

/* Reports:
kind = "bad_free"
line = 7
mode = "check"
*/

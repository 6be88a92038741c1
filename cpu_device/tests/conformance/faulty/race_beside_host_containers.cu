// SPDX-License-Identifier: MIT
// Two tiles are read without a barrier, in a program whose host code uses the same containers as
// the checker: each keeps its own copy of their code.
#include <map>
#include <set>
#include <string>

#include "../check.h"

constexpr int kTile = 64;

__global__ void reverse_kernel(int* data) {
  __shared__ int tile[kTile], other[kTile];
  const int t = threadIdx.x;
  tile[t] = data[t];  // fault
  other[t] = data[t];
  data[t] = tile[kTile - 1 - t];  // fault
  data[t] += other[kTile - 1 - t];
}

int main(int argc, char** argv) {
  std::set<std::string> names;
  std::set<unsigned long> numbers;
  std::map<unsigned long, unsigned long> squares;
  for (unsigned long i = 0; i < static_cast<unsigned long>(argc); ++i) {
    names.insert(argv[i] + std::to_string(i));
    numbers.insert(i + 1);
    squares[i] = i * i;
  }
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, kTile * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, kTile * sizeof(int)));
  reverse_kernel<<<1, kTile>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
  std::printf("%zu %zu %zu\n", names.size(), numbers.size(), squares.size());
}

/* Reports:
kind = "race_shared"
kernel = "reverse_kernel"
mentions = ["tile"]
mode = "check"
*/

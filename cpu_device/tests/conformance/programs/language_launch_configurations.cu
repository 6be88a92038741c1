// SPDX-License-Identifier: MIT
// All forms of the configuration: one to four items, braces, calls with commas, expressions with
// shifts.
#include "../check.h"

__global__ void count_kernel(int* out) {
  atomicAdd(out, 1);
}

struct Plan {
  dim3 grid, block;
  dim3 rows() const { return dim3(block.x, 1); }
};

template <class A, class B>
constexpr int added(A a, B b) {
  return a + b;
}

int main() {
  DeviceArray<int> out(1);
  int* count = out.data();
  const auto show_count = [&](const char* name) {
    show(name, out.host()[0]);
    CHECK(cudaMemset(count, 0, sizeof(int)));
  };
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const Plan plan = {dim3(2, 3), dim3(4, 2, 2)};
  count_kernel<<<5, 6>>>(count);
  show_count("integers");
  count_kernel<<<5, 6, 0>>>(count);
  show_count("shared size");
  count_kernel<<<5u, 6ul, 0, stream>>>(count);
  CHECK(cudaStreamSynchronize(stream));
  show_count("stream");
  count_kernel<<<{2, 2}, {3, 1, 2}>>>(count);
  show_count("braces");
  count_kernel<<<dim3(3, 3), dim3{2, 2}>>>(count);
  show_count("dim3");
  count_kernel<<<plan.grid, plan.block>>>(count);
  show_count("members");
  count_kernel<<<plan.grid.x << 2, plan.rows()>>>(count);
  show_count("shift and call");
  // clang-format off
  count_kernel<<<((void)plan, 3), 128 >> 1>>>(count);
  // clang-format on
  show_count("comma operator");
  count_kernel<<<added<int, int>(1, 2), (5 > 4) ? 8 : 9, sizeof(int) * added(1, 1), nullptr>>>(
      count);
  show_count("template call");
  count_kernel<<<uint3{2, 1, 1}, make_uint3(3, 1, 1)>>>(count);
  show_count("uint3");
  count_kernel<<<[] { return 4; }(), 2>>>(count);
  show_count("lambda");
  CHECK(cudaStreamDestroy(stream));
}

/* Prints:
integers: 30
shared size: 30
stream: 30
braces: 24
dim3: 36
members: 96
shift and call: 32
comma operator: 192
template call: 24
uint3: 6
lambda: 8
*/

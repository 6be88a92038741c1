// SPDX-License-Identifier: MIT
// Stages of cooperative_groups::memcpy_async ahead of the one that is used: wait_prior leaves the
// last ones under way. Threads without a part in a stage count it, too.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "../check.h"

namespace cg = cooperative_groups;

constexpr int kPart = 24, kThreads = 32;

// out[t] = the sum of all parts' elements t.
template <int stages>
__global__ void sum_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[stages + 1][kPart];
  const cg::thread_block block = cg::this_thread_block();
  const int t = threadIdx.x;
  for (int part = 0; part < stages; ++part) {
    const size_t bytes = part < parts ? sizeof cells[0] : 0;
    cg::memcpy_async(block, cells[part], in + kPart * part, bytes);
  }
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    const int next = part + stages;
    const size_t bytes = next < parts ? sizeof cells[0] : 0;
    cg::memcpy_async(block, cells[next % (stages + 1)], in + kPart * next, bytes);
    cg::wait_prior<stages>(block);
    if (t < kPart) sum += cells[part % (stages + 1)][kPart - 1 - t];
    block.sync();
  }
  if (t < kPart) out[blockIdx.x * kPart + t] = sum;
}

// Each warp has its own copies, and the buffer changes hands only within it.
__global__ void tile_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x, first = t / 32 * 32;
  cg::memcpy_async(tile, &cells[0][first], in + first, 32 * sizeof(int));
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      cg::memcpy_async(tile, &cells[(part + 1) % 2][first], in + 64 * (part + 1) + first,
                       32 * sizeof(int));
      cg::wait_prior<1>(tile);
    } else {
      cg::wait(tile);
    }
    sum += cells[part % 2][first + 31 - t % 32];
    tile.sync();
  }
  out[t] = sum;
}

// A thread waits for its own copies alone, and all at last.
__global__ void one_thread_kernel(const int* in, int* out) {
  __shared__ int cells[4];
  if (threadIdx.x == 0) {
    const auto self = cg::this_thread();
    cg::memcpy_async(self, cells, in, 2 * sizeof(int));
    cg::memcpy_async(self, cells + 2, in + 2, 2 * sizeof(int));
    cg::wait(self);
  }
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = cells[3 - threadIdx.x];
}

int main() {
  std::vector<int> values(kPart * 9);
  for (int i = 0; i < kPart * 9; ++i) values[i] = i * i;
  DeviceArray<int> in(values), out(3 * kPart), sums(64), four(4);
  for (int parts : {1, 2, 5, 9}) {
    sum_kernel<1><<<3, kThreads>>>(in.data(), out.data(), parts);
    CHECK_LAUNCH();
    const std::vector<int> one = out.host();
    sum_kernel<3><<<3, kThreads>>>(in.data(), out.data(), parts);
    CHECK_LAUNCH();
    show("parts", parts, one[0], one[kPart - 1], one[3 * kPart - 1]);
    expect("three stages", one == out.host());
  }
  tile_kernel<<<1, 64>>>(in.data(), sums.data(), 3);
  CHECK_LAUNCH();
  show("tiles", sums.host());
  one_thread_kernel<<<1, 32>>>(in.data(), four.data());
  CHECK_LAUNCH();
  show("one thread", four.host());
}

/* Prints:
parts: 1 529 0 0
three stages: ok
parts: 2 2738 576 576
three stages: ok
parts: 5 30965 17280 17280
three stages: ok
parts: 9 162009 117504 117504
three stages: ok
tiles: 35267 34700 34139 33584 33035 32492 31955 31424 30899 30380 29867 29360 28859 28364 27875 27392 26915 26444 25979 25520 25067 24620 24179 23744 23315 22892 22475 22064 21659 21260 20867 20480 56579 55820 55067 54320 53579 52844 52115 51392 50675 49964 49259 48560 47867 47180 46499 45824 45155 44492 43835 43184 42539 41900 41267 40640 40019 39404 38795 38192 37595 37004 36419 35840
one thread: 9 4 1 0
*/

// SPDX-License-Identifier: MIT
// cooperative_groups::memcpy_async into shared memory, by blocks and by tiles: whole words, single
// bytes at the end, at any offset.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "../check.h"

namespace cg = cooperative_groups;

__global__ void block_kernel(const float* in, float* out, int count, int offset) {
  extern __shared__ float cells[];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells + offset, in, sizeof(float) * count);
  cg::wait(block);
  if (threadIdx.x < count) out[threadIdx.x] = cells[offset + count - 1 - threadIdx.x];
}

__global__ void tile_kernel(const int* in, int* out) {
  __shared__ int cells[64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int first = threadIdx.x / 32 * 32;
  cg::memcpy_async(tile, cells + first, in + first, 32 * sizeof(int));
  cg::wait(tile);
  out[threadIdx.x] = cells[first + 31 - threadIdx.x % 32];
}

__global__ void bytes_kernel(const char* in, char* out, int count) {
  __shared__ char cells[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells, in, count);
  cg::wait(block);
  if (threadIdx.x < count) out[threadIdx.x] = cells[count - 1 - threadIdx.x];
}

__global__ void stages_kernel(const float* in, float* out, int parts) {
  __shared__ float cells[2][32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells[0], in, sizeof cells[0]);
  float sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      cg::memcpy_async(block, cells[(part + 1) % 2], in + 32 * (part + 1), sizeof cells[0]);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += cells[part % 2][31 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

int main() {
  std::vector<float> values(128);
  std::vector<int> numbers(64);
  std::vector<char> letters(64);
  for (int i = 0; i < 128; ++i) values[i] = i;
  for (int i = 0; i < 64; ++i) numbers[i] = i, letters[i] = 'A' + i % 26;
  DeviceArray<float> in(values), out(64);
  for (int count : {1, 8, 9, 64}) {
    for (int offset : {0, 1, 100}) {
      block_kernel<<<1, 64, 200 * sizeof(float)>>>(in.data(), out.data(), count, offset);
      CHECK_LAUNCH();
      show("block", count, offset, double(out.host()[0]), double(out.host()[count - 1]));
    }
  }
  DeviceArray<int> in_numbers(numbers), out_numbers(64);
  tile_kernel<<<1, 64>>>(in_numbers.data(), out_numbers.data());
  CHECK_LAUNCH();
  show("tile", out_numbers.host());
  DeviceArray<char> in_letters(letters), out_letters(64);
  for (int count : {1, 4, 7, 26}) {
    bytes_kernel<<<1, 64>>>(in_letters.data(), out_letters.data(), count);
    CHECK_LAUNCH();
    std::printf("bytes: %.*s\n", count, out_letters.host().data());
  }
  stages_kernel<<<1, 32>>>(in.data(), out.data(), 4);
  CHECK_LAUNCH();
  show("stages", double(out.host()[0]), double(out.host()[31]));
}

/* Prints:
block: 1 0 0 0
block: 1 1 0 0
block: 1 100 0 0
block: 8 0 7 0
block: 8 1 7 0
block: 8 100 7 0
block: 9 0 8 0
block: 9 1 8 0
block: 9 100 8 0
block: 64 0 63 0
block: 64 1 63 0
block: 64 100 63 0
tile: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32
bytes: A
bytes: DCBA
bytes: GFEDCBA
bytes: ZYXWVUTSRQPONMLKJIHGFEDCBA
stages: 316 192
*/

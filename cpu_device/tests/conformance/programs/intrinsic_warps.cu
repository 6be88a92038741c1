// SPDX-License-Identifier: MIT
// Shuffles, votes and other intrinsics of a warp or block.
#include "../check.h"
#include "../parts.h"

// __activemask where all lanes of a warp are together: full warps, a short one, after an early
// return.
namespace active_mask {

__global__ void mask_kernel(unsigned* out) {
  out[threadIdx.x] = __activemask();
}

__global__ void after_return_kernel(unsigned* out) {
  if (threadIdx.x % 32 >= 8) return;
  __syncwarp(0xff);
  out[threadIdx.x] = __activemask();
}

PART(active_mask) {
  DeviceArray<unsigned> out(72);
  mask_kernel<<<1, 69>>>(out.data());
  std::vector<unsigned> host = out.host();
  std::printf("%08x %08x %08x %08x %08x\n", host[0], host[31], host[32], host[64], host[68]);
  mask_kernel<<<1, 1>>>(out.data());
  std::printf("%08x\n", out.host()[0]);
  after_return_kernel<<<1, 64>>>(out.data());
  host = out.host();
  std::printf("%08x %08x\n", host[0], host[39]);
}

}  // namespace active_mask

/* Prints:
ffffffff ffffffff ffffffff 0000001f 0000001f
00000001
000000ff 000000ff
*/

// __match_any_sync and __match_all_sync on 32-bit, 64-bit and floating-point values.
namespace match {

__global__ void match_kernel(unsigned* out) {
  const int lane = threadIdx.x;
  unsigned* mine = out + 6 * lane;
  int same = 0, different = 0;
  mine[0] = __match_any_sync(0xffffffff, lane % 3);
  mine[1] = __match_any_sync(0xffffffff, static_cast<unsigned long long>(lane / 8) << 40);
  mine[2] = __match_any_sync(0xffffffff, lane < 4 ? -1.5f : 2.5f);
  mine[3] = __match_all_sync(0xffffffff, 1234567890123ll, &same);
  mine[4] = __match_all_sync(0xffffffff, lane == 31, &different);
  mine[5] = 10 * (same != 0) + (different != 0);
  if (lane < 4) mine[2] ^= __match_any_sync(0xf, lane / 2);
}

PART(match) {
  DeviceArray<unsigned> out(6 * 32);
  match_kernel<<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> host = out.host();
  for (int lane : {0, 1, 2, 13, 31}) {
    const unsigned* mine = &host[6 * lane];
    std::printf("lane %d: %08x %08x %08x %08x %08x %u\n", lane, mine[0], mine[1], mine[2], mine[3],
                mine[4], mine[5]);
  }
}

}  // namespace match

/* Prints:
lane 0: 49249249 000000ff 0000000c ffffffff 00000000 10
lane 1: 92492492 000000ff 0000000c ffffffff 00000000 10
lane 2: 24924924 000000ff 00000003 ffffffff 00000000 10
lane 13: 92492492 0000ff00 fffffff0 ffffffff 00000000 10
lane 31: 92492492 ff000000 fffffff0 ffffffff 00000000 10
*/

// __reduce_*_sync (compute capability 8.0): one call reduces a warp.
namespace reduce_sync {

__global__ void reduce_kernel(unsigned* u, int* s) {
  const int lane = threadIdx.x;
  const unsigned reduced[6] = {__reduce_add_sync(0xffffffff, static_cast<unsigned>(lane)),
                               __reduce_min_sync(0xffffffff, 100u - lane),
                               __reduce_max_sync(0xffffffff, 100u + lane),
                               __reduce_and_sync(0xffffffff, 0xf0f0u | lane),
                               __reduce_or_sync(0xffffffff, 1u << lane),
                               __reduce_xor_sync(0xffffffff, 3u * lane)};
  const int with_sign[3] = {__reduce_add_sync(0xffffffff, -lane),
                            __reduce_min_sync(0xffffffff, 5 - lane),
                            __reduce_max_sync(0xffffffff, -7 - lane)};
  if (lane < 6) u[lane] = reduced[lane];
  if (lane < 3) s[lane] = with_sign[lane];
  if (lane >= 4) return;
  const int four = __reduce_add_sync(0xf, lane + 1);
  if (lane == 3) s[3] = four;
}

PART(reduce_sync) {
  DeviceArray<unsigned> u(6);
  DeviceArray<int> s(4);
  reduce_kernel<<<1, 32>>>(u.data(), s.data());
  CHECK_LAUNCH();
  show("unsigned", u.host());
  show("signed", s.host());
}

}  // namespace reduce_sync

/* Prints:
unsigned: 496 69 131 61680 4294967295 32
signed: -496 -26 -7 10
*/

// __shfl_up_sync, _down_sync and _xor_sync with widths: what a lane gets at the edge of its
// segment.
namespace shuffle_directions {

__global__ void directions_kernel(int* up, int* down, int* exclusive, int by, int width) {
  const int lane = threadIdx.x;
  up[lane] = __shfl_up_sync(0xffffffff, lane, by, width);
  down[lane] = __shfl_down_sync(0xffffffff, lane, by, width);
  exclusive[lane] = __shfl_xor_sync(0xffffffff, lane, by, width);
}

PART(shuffle_directions) {
  DeviceArray<int> up(32), down(32), exclusive(32);
  int wrong = 0;
  for (int width = 2; width <= 32; width *= 2) {
    for (int by = 0; by < 32; ++by) {
      directions_kernel<<<1, 32>>>(up.data(), down.data(), exclusive.data(), by, width);
      const std::vector<int> u = up.host(), d = down.host(), x = exclusive.host();
      for (int lane = 0; lane < 32; ++lane) {
        const int first = lane & ~(width - 1), last = first + width - 1;
        wrong += u[lane] != (lane - by >= first ? lane - by : lane);
        wrong += d[lane] != (lane + by <= last ? lane + by : lane);
        wrong += x[lane] != ((lane ^ by) <= last ? lane ^ by : lane);
      }
    }
  }
  show("wrong", wrong);
  directions_kernel<<<1, 32>>>(up.data(), down.data(), exclusive.data(), 3, 8);
  show("up 3, width 8", up.host());
  show("down 3, width 8", down.host());
  directions_kernel<<<1, 32>>>(up.data(), down.data(), exclusive.data(), 8, 8);
  show("xor 8, width 8", exclusive.host());
}

}  // namespace shuffle_directions

/* Prints:
wrong: 0
up 3, width 8: 0 1 2 0 1 2 3 4 8 9 10 8 9 10 11 12 16 17 18 16 17 18 19 20 24 25 26 24 25 26 27 28
down 3, width 8: 3 4 5 6 7 5 6 7 11 12 13 14 15 13 14 15 19 20 21 22 23 21 22 23 27 28 29 30 31 29 30 31
xor 8, width 8: 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 16 17 18 19 20 21 22 23
*/

// __shfl_sync with every width; source lanes beyond the width wrap within the segment.
namespace shuffle_index {

__global__ void index_kernel(int* out, int width, int source) {
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, 100 + lane, source, width);
}

__global__ void rotate_kernel(int* out) {
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, lane * lane, lane + 1);
}

PART(shuffle_index) {
  DeviceArray<int> out(32);
  int wrong = 0;
  for (int width = 1; width <= 32; width *= 2) {
    for (int source = 0; source < 40; source += 3) {
      index_kernel<<<1, 32>>>(out.data(), width, source);
      const std::vector<int> host = out.host();
      for (int lane = 0; lane < 32; ++lane) {
        wrong += host[lane] != 100 + (lane & ~(width - 1)) + (source & (width - 1));
      }
    }
  }
  show("wrong", wrong);
  index_kernel<<<1, 32>>>(out.data(), 8, 11);
  show("width 8, source 11", out.host());
  rotate_kernel<<<1, 32>>>(out.data());
  show("rotated squares", out.host());
}

}  // namespace shuffle_index

/* Prints:
wrong: 0
width 8, source 11: 103 103 103 103 103 103 103 103 111 111 111 111 111 111 111 111 119 119 119 119 119 119 119 119 127 127 127 127 127 127 127 127
rotated squares: 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225 256 289 324 361 400 441 484 529 576 625 676 729 784 841 900 961 0
*/

// Shuffles of a part of a warp: in both arms of a branch, in a short last warp, in a shrinking
// loop.
namespace shuffle_partial_masks {

__global__ void branches_kernel(int* out) {
  const int lane = threadIdx.x;
  int value = lane;
  if (lane < 16) {
    value = __shfl_xor_sync(0x0000ffff, value, 5);
    value += 100 * __shfl_sync(0x0000ffff, value, 3, 4);
  } else {
    value = __shfl_down_sync(0xffff0000, value, 4, 16);
  }
  out[lane] = value;
}

__global__ void short_warp_kernel(int* out) {
  const int i = threadIdx.x;
  const unsigned mask = i < 32 ? 0xffffffffu : 0xffu;
  int value = i;
  for (int by = 4; by > 0; by /= 2) value += __shfl_xor_sync(mask, value, by);
  out[i] = value;
}

__global__ void shrinking_kernel(int* out) {
  const int lane = threadIdx.x;
  int sum = 0;
  for (int n = 32; n > 0; n /= 2) {
    const unsigned mask = n == 32 ? 0xffffffffu : (1u << n) - 1;
    if (lane < n) sum += __shfl_sync(mask, lane, n - 1);
  }
  out[lane] = sum;
}

PART(shuffle_partial_masks) {
  DeviceArray<int> out(40);
  branches_kernel<<<1, 32>>>(out.data());
  show("branches", out.host());
  short_warp_kernel<<<1, 40>>>(out.data());
  show("short warp", out.host());
  shrinking_kernel<<<1, 32>>>(out.data());
  show("shrinking", out.host());
}

}  // namespace shuffle_partial_masks

/* Prints:
branches: 605 604 607 606 201 200 203 202 1413 1412 1415 1414 1009 1008 1011 1010 20 21 22 23 24 25 26 27 28 29 30 31 28 29 30 31 0 0 0 0 0 0 0 0
short warp: 28 28 28 28 28 28 28 28 92 92 92 92 92 92 92 92 156 156 156 156 156 156 156 156 220 220 220 220 220 220 220 220 284 284 284 284 284 284 284 284
shrinking: 57 57 56 56 53 53 53 53 46 46 46 46 46 46 46 46 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 284 284 284 284 284 284 284 284
*/

// Reductions and scans by shuffles: sum, maximum, all lanes by xor, inclusive scan, several warps.
namespace shuffle_reductions {

__device__ int warp_sum(int value) {
  for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  return value;
}
__device__ double warp_max(double value) {
  for (int by = 1; by < 32; by *= 2) value = max(value, __shfl_xor_sync(0xffffffff, value, by));
  return value;
}
__device__ int warp_scan(int value) {
  const int lane = threadIdx.x & 31;
  for (int by = 1; by < 32; by *= 2) {
    const int left = __shfl_up_sync(0xffffffff, value, by);
    if (lane >= by) value += left;
  }
  return value;
}

__global__ void reductions_kernel(int* sums, double* maxima, int* scans) {
  const int i = threadIdx.x, warp = i / 32;
  const int sum = warp_sum(i);
  const double largest = warp_max((i * 37 % 101) + 0.5);
  scans[i] = warp_scan(i + 1);
  if (i % 32 == 0) sums[warp] = sum;
  if (i % 32 == 7) maxima[warp] = largest;
}

PART(shuffle_reductions) {
  DeviceArray<int> sums(4), scans(128);
  DeviceArray<double> maxima(4);
  reductions_kernel<<<1, 128>>>(sums.data(), maxima.data(), scans.data());
  CHECK_LAUNCH();
  show("sums", sums.host());
  show("maxima", maxima.host());
  const std::vector<int> scan = scans.host();
  show("scans", scan[0], scan[31], scan[32], scan[63], scan[127]);
}

}  // namespace shuffle_reductions

/* Prints:
sums: 496 1520 2544 3568
maxima: 100.5 99.5 98.5 97.5
scans: 1 528 33 1552 3600
*/

// Shuffles of every type, 32 and 64 bits wide.
namespace shuffle_types {

template <class T>
__global__ void types_kernel(T* out, T step) {
  const int lane = threadIdx.x;
  const T value = step * static_cast<T>(lane);
  out[0 * 32 + lane] = __shfl_sync(0xffffffffu, value, 31 - lane);
  out[1 * 32 + lane] = __shfl_up_sync(0xffffffffu, value, 1);
  out[2 * 32 + lane] = __shfl_down_sync(0xffffffffu, value, 2);
  out[3 * 32 + lane] = __shfl_xor_sync(0xffffffffu, value, 16);
}

template <class T>
void run(const char* name, T step) {
  DeviceArray<T> out(4 * 32);
  types_kernel<T><<<1, 32>>>(out.data(), step);
  CHECK_LAUNCH();
  const std::vector<T> host = out.host();
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int from[4] = {31 - lane, lane ? lane - 1 : 0, lane < 30 ? lane + 2 : lane, lane ^ 16};
    for (int i = 0; i < 4; ++i) wrong += host[i * 32 + lane] != step * static_cast<T>(from[i]);
  }
  std::printf("%s: %d wrong, first", name, wrong);
  print(host[0]);
  std::printf("\n");
}

PART(shuffle_types) {
  run<int>("int", -70000);
  run<unsigned>("unsigned", 130000000u);
  run<long>("long", -3000000000l);
  run<unsigned long>("unsigned long", 5000000000ul);
  run<long long>("long long", -3000000000ll);
  run<unsigned long long>("unsigned long long", 1ull << 58);
  run<float>("float", -0.375f);
  run<double>("double", 1.0 / 1024 + 1048576.0);
}

}  // namespace shuffle_types

/* Prints:
int: 0 wrong, first -2170000
unsigned: 0 wrong, first 4030000000
long: 0 wrong, first -93000000000
unsigned long: 0 wrong, first 155000000000
long long: 0 wrong, first -93000000000
unsigned long long: 0 wrong, first 8935141660703064064
float: 0 wrong, first -11.625
double: 0 wrong, first 3.25059e+07
*/

// __syncthreads_count, _and, _or: block-wide, any non-zero value counts, also over a partial warp.
namespace syncthreads_votes {

__global__ void votes_kernel(int* out) {
  const int i = threadIdx.x, block = blockIdx.x;
  int* mine = out + 6 * block;
  const int thirds = __syncthreads_count(i % 3 == 0);
  const int bit = __syncthreads_count(i & 4);
  const int all = __syncthreads_and(i < 70 - block) != 0;
  const int all_bits = __syncthreads_and(i + 8) != 0;
  const int some = __syncthreads_or(i == 60 + 5 * block) != 0;
  const int none = __syncthreads_or(0) != 0;
  if (i != 33) return;
  mine[0] = thirds;
  mine[1] = bit;
  mine[2] = all;
  mine[3] = all_bits;
  mine[4] = some;
  mine[5] = none;
}

PART(syncthreads_votes) {
  DeviceArray<int> out(18);
  votes_kernel<<<3, 70>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  for (int b = 0; b < 3; ++b) show("block", std::vector<int>(&host[6 * b], &host[6 * b] + 6));
}

}  // namespace syncthreads_votes

/* Prints:
block: 24 34 1 1 1 0
block: 24 34 0 1 1 0
block: 24 34 0 1 0 0
*/

// __syncwarp orders shared memory within a warp, for the whole warp and for a part of it.
namespace syncwarp {

__global__ void reverse_kernel(int* data) {
  __shared__ int slots[64];
  const int i = threadIdx.x, base = i & ~31, lane = i & 31;
  slots[i] = data[i];
  __syncwarp();
  int value = slots[base + 31 - lane];
  __syncwarp();
  if (lane < 16) {
    slots[i] = value;
    __syncwarp(0x0000ffff);
    value = slots[base + (lane ^ 1)];
  } else {
    slots[i] = 1000 + value;
    __syncwarp(0xffff0000);
    value = slots[base + (lane ^ 2)];
  }
  data[i] = value;
}

PART(syncwarp) {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i;
  DeviceArray<int> data(values);
  reverse_kernel<<<1, 64>>>(data.data());
  CHECK_LAUNCH();
  const std::vector<int> host = data.host();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    const int lane = i & 31, from = lane < 16 ? lane ^ 1 : lane ^ 2;
    wrong += host[i] != (i & ~31) + 31 - from + (lane < 16 ? 0 : 1000);
  }
  show("wrong", wrong);
  show("some", host[0], host[1], host[16], host[31], host[32], host[63]);
}

}  // namespace syncwarp

/* Prints:
wrong: 0
some: 30 31 1013 1002 62 1034
*/

// __all_sync, __any_sync and __ballot_sync, of whole warps, parts and branches.
namespace votes {

__global__ void votes_kernel(unsigned* out) {
  const unsigned i = threadIdx.x, lane = i % 32, warp = i / 32;
  const unsigned mask = warp < 2 ? 0xffffffffu : 0x3ffu;
  unsigned* mine = out + 8 * warp;
  const unsigned odd = __ballot_sync(mask, i & 1);
  const unsigned large = __ballot_sync(mask, i >= 40);
  const int all = __all_sync(mask, i < 64);
  const int any = __any_sync(mask, i == 5);
  unsigned low = 0, some = 0;
  if (lane < 8) {
    low = __ballot_sync(0xff, lane % 3 == 0);
    some = __any_sync(0xff, lane == 8) ? 1 : 2;
  }
  if (lane != 0) return;
  mine[0] = odd;
  mine[1] = large;
  mine[2] = all != 0;
  mine[3] = any != 0;
  mine[4] = low;
  mine[5] = some;
  mine[6] = __popc(odd);
  mine[7] = __ffs(large);
}

PART(votes) {
  DeviceArray<unsigned> out(24);
  votes_kernel<<<1, 74>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> host = out.host();
  for (int w = 0; w < 3; ++w) {
    std::printf("warp %d: %08x %08x all %u any %u low %02x some %u count %u first %u\n", w,
                host[8 * w], host[8 * w + 1], host[8 * w + 2], host[8 * w + 3], host[8 * w + 4],
                host[8 * w + 5], host[8 * w + 6], host[8 * w + 7]);
  }
}

}  // namespace votes

/* Prints:
warp 0: aaaaaaaa 00000000 all 1 any 1 low 49 some 2 count 16 first 0
warp 1: aaaaaaaa ffffff00 all 1 any 0 low 49 some 2 count 16 first 9
warp 2: 000002aa 000003ff all 0 any 0 low 49 some 2 count 5 first 1
*/

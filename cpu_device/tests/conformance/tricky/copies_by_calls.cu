// SPDX-License-Identifier: MIT
// Shared memory that memcpy() and memset() write: sizes that are constants, and sizes
// that are known to be small.
#include <cstring>

#include "../check.h"

template <int bytes>
__global__ void constant_kernel(const char* in, char* out) {
  __shared__ char copied[64 * bytes], set[64 * bytes];
  memcpy(copied + threadIdx.x * bytes, in + threadIdx.x * bytes, bytes);
  memset(set + threadIdx.x * bytes, 'x', bytes);
  __syncthreads();
  const int first = (63 - threadIdx.x) * bytes;
  for (int i = 0; i < bytes; ++i) {
    const bool right = copied[first + i] == in[first + i] && set[first + i] == 'x';
    out[first + i] = right ? '+' : '-';
  }
}

__global__ void small_kernel(const int* in, int* out, int most) {
  __shared__ int copied[64], set[64], all[64];
  const int bytes = most < 4 ? most : 4;
  memcpy(copied + threadIdx.x, in + threadIdx.x, bytes);
  memset(set + threadIdx.x, 0, bytes);
  if (threadIdx.x == 0) memset(all, 0, sizeof all);
  __syncthreads();
  const int i = 63 - threadIdx.x;
  out[threadIdx.x] = copied[i] + set[i] + all[i];
}

__global__ void local_kernel(const float* in, float* out) {
  __shared__ float4 vectors[64];
  float4 vector;
  float values[7];
  std::memcpy(&vector, in + 4 * threadIdx.x, sizeof vector);
  std::memcpy(values, in + threadIdx.x, sizeof values);
  vector.w = values[6];
  std::memcpy(&vectors[threadIdx.x], &vector, sizeof vector);
  __syncthreads();
  out[threadIdx.x] = vectors[63 - threadIdx.x].x + vectors[63 - threadIdx.x].w;
}

template <int bytes>
void constant(const char* in) {
  DeviceArray<char> out(64 * bytes);
  constant_kernel<bytes><<<1, 64>>>(in, out.data());
  CHECK_LAUNCH();
  const std::vector<char> signs = out.host();
  bool right = true;
  for (const char sign : signs) right = right && sign == '+';
  show("bytes", bytes, right ? "ok" : "wrong");
}

int main() {
  std::vector<char> bytes(64 * 300);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 100);
  DeviceArray<char> in(bytes);
  constant<1>(in.data());
  constant<2>(in.data());
  constant<3>(in.data());
  constant<4>(in.data());
  constant<7>(in.data());
  constant<8>(in.data());
  constant<12>(in.data());
  constant<16>(in.data());
  constant<20>(in.data());
  constant<32>(in.data());
  constant<100>(in.data());
  constant<250>(in.data());
  std::vector<int> numbers(64);
  std::vector<float> values(256);
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  for (int i = 0; i < 256; ++i) values[i] = i;
  DeviceArray<int> in_numbers(numbers), out_numbers(64);
  small_kernel<<<1, 64>>>(in_numbers.data(), out_numbers.data(), 64);
  CHECK_LAUNCH();
  show("small", out_numbers.host());
  DeviceArray<float> in_values(values), out_values(64);
  local_kernel<<<1, 64>>>(in_values.data(), out_values.data());
  CHECK_LAUNCH();
  show("local", double(out_values.host()[0]), double(out_values.host()[63]));
}

/* Prints:
bytes: 1 ok
bytes: 2 ok
bytes: 3 ok
bytes: 4 ok
bytes: 7 ok
bytes: 8 ok
bytes: 12 ok
bytes: 16 ok
bytes: 20 ok
bytes: 32 ok
bytes: 100 ok
bytes: 250 ok
small: 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
local: 321 6
*/

// SPDX-License-Identifier: MIT
// Alignment and other attributes of shared memory: before and behind `__shared__`, of variables and
// of members.
#include <cstdint>

#include "../check.h"

struct alignas(32) Row {
  float values[3];
};
struct Mixed {
  char tag;
  alignas(16) float values[4];
  __align__(8) char end;
};

#define TILE(name) __shared__ alignas(64) float name[8]

template <class T, int count>
__device__ unsigned alignment(const T (&array)[count]) {
  unsigned bytes = 1;
  while (bytes < 16 && reinterpret_cast<uintptr_t>(array) % (2 * bytes) == 0) bytes *= 2;
  return bytes;
}

template <class Vector>
__global__ void vectors_kernel(const float* in, float* out) {
  __shared__ char before;
  __shared__ alignas(Vector) float tile[16];
  before = 1;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16 * sizeof(float) / sizeof(Vector)) {
    reinterpret_cast<Vector*>(out)[threadIdx.x] = reinterpret_cast<Vector*>(tile)[threadIdx.x];
  }
}

__global__ void places_kernel(unsigned* out) {
  __shared__ char byte;
  __shared__ alignas(16) char behind[3];
  alignas(16) __shared__ char first[3];
  __shared__ __align__(16) char gnu[3];
  __shared__ alignas(8) alignas(16) char twice[3];
  __shared__ [[maybe_unused]] char unused[3];
  __shared__ alignas(16) char lines[3];
  __shared__ Row rows[2];
  __shared__ alignas(16) Mixed mixed[2];
  TILE(in_macro);
  if (threadIdx.x != 0) return;
  byte = 1;
  out[0] = alignment(behind) >= 16;
  out[1] = alignment(first) >= 16;
  out[2] = alignment(gnu) >= 16;
  out[3] = alignment(twice) >= 16;
  out[4] = alignment(lines) >= 16;
  out[5] = alignment(rows) >= 16;
  out[6] = alignment(mixed) >= 16;
  out[7] = alignment(mixed[1].values) >= 16;
  out[8] = alignment(in_macro) >= 16;
  out[9] = sizeof(Row);
  out[10] = sizeof(Mixed) + byte;
}

int main() {
  std::vector<float> values(16);
  for (int i = 0; i < 16; ++i) values[i] = i;
  DeviceArray<float> in(values), out(16);
  vectors_kernel<float4><<<1, 16>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("by four", double(out.host()[0]), double(out.host()[15]));
  vectors_kernel<float2><<<1, 16>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("by two", double(out.host()[1]), double(out.host()[14]));
  DeviceArray<unsigned> places(11);
  places_kernel<<<1, 32>>>(places.data());
  CHECK_LAUNCH();
  show("places", places.host());
}

/* Prints:
by four: 0 15
by two: 1 14
places: 1 1 1 1 1 1 1 1 1 32 49
*/

// SPDX-License-Identifier: MIT
// Intrinsics whose results are defined to the bit, on the same inputs on both devices: prints a sum
// of the results of each. Both devices must print the same: device_values.expected is what an
// NVIDIA H200 printed (CUDA 13.0). With a file as argument, all results are written to it, 8 bytes
// each, so that differences can be looked up.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kInputs = 8192;

// Mixes bits (the finaliser of MurmurHash3).
__host__ __device__ unsigned long long mixed(unsigned long long bits) {
  bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdull;
  bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53ull;
  return bits ^ bits >> 33;
}

// Bits of all lengths: often few, often nearly all ones.
__device__ unsigned long long word(int input, int which) {
  const unsigned long long bits = mixed(input * 16ull + which + 1);
  const unsigned long long cut = bits >> (mixed(bits) & 63);
  return (mixed(bits + 1) & 1) != 0 ? cut : ~cut;
}

// Any float, or one that is close to an integer, to a limit or to another input's negative.
__device__ float any_float(int input, int which) {
  const unsigned long long bits = mixed(input * 16ull + which + 7);
  const unsigned int odd[] = {0u,          0x80000000u, 1u,          0x80000001u, 0x007fffffu,
                              0x00800000u, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u, 0xff800000u,
                              0x7fc00000u, 0x3f800000u, 0x3f800001u, 0x4f000000u, 0xcf000001u,
                              0x5f000000u, 0x4b000001u};
  switch (input % 5) {
    case 0:
      return __uint_as_float(odd[bits % 17]);
    case 1:
      return static_cast<int>(bits % 2001) * 0.5f - 500.0f;
    case 2:
      return -__uint_as_float(static_cast<unsigned int>(mixed(input * 16ull + 7)) ^ which);
    case 3:
      return __int2float_rn(static_cast<int>(bits)) * (1.0f / (1 << (bits >> 40) % 31));
    default:
      return __uint_as_float(static_cast<unsigned int>(bits));
  }
}

__device__ double any_double(int input, int which) {
  const unsigned long long bits = mixed(input * 16ull + which + 11);
  if (input % 3 == 0) return any_float(input, which);
  if (input % 3 == 1) return __ll2double_rn(static_cast<long long>(bits)) * (1.0 / (bits & 0xfff));
  return __longlong_as_double(static_cast<long long>(bits));
}

__device__ __half any_half(int input, int which) {
  return __ushort_as_half(static_cast<unsigned short>(word(input, which)));
}

// All NaNs are one.
__device__ unsigned long long bits_of(float value) {
  return value != value ? 0x7fffffffu : __float_as_uint(value);
}
__device__ unsigned long long bits_of(double value) {
  return value != value ? 0x7fffffffffffffffull
                        : static_cast<unsigned long long>(__double_as_longlong(value));
}
__device__ unsigned long long bits_of(__half value) {
  return __hisnan(value) ? 0x7fffu : __half_as_ushort(value);
}
__device__ unsigned long long bits_of(__half2 value) {
  return bits_of(__low2half(value)) << 16 | bits_of(__high2half(value));
}
template <class Integer>
__device__ unsigned long long bits_of(Integer value) {
  return static_cast<unsigned long long>(value);
}

#define ROUNDED(name, arguments) \
  VALUE(name##_rn arguments)     \
  VALUE(name##_rz arguments)     \
  VALUE(name##_ru arguments)     \
  VALUE(name##_rd arguments)

const char* const kNames[] = {
#define VALUE(...) #__VA_ARGS__,
#include "device_values.def"
#undef VALUE
};
constexpr int kExpressions = sizeof kNames / sizeof kNames[0];

__global__ void evaluate(int expression, unsigned long long* results) {
  const int input = blockIdx.x * blockDim.x + threadIdx.x;
  if (input >= kInputs) return;
  const float a = any_float(input, 0), b = any_float(input, 1), c = any_float(input, 2);
  const double d = any_double(input, 0), e = any_double(input, 1), f = any_double(input, 2);
  const unsigned long long p = word(input, 0), q = word(input, 1), s = word(input, 2);
  const unsigned int u = static_cast<unsigned int>(p), v = static_cast<unsigned int>(q);
  const unsigned int w = static_cast<unsigned int>(s);
  const int i = static_cast<int>(u), j = static_cast<int>(v), k = static_cast<int>(w);
  const long long l = static_cast<long long>(p), m = static_cast<long long>(q);
  const __half h = any_half(input, 3), g = any_half(input, 4), r = any_half(input, 5);
  unsigned long long result = 0;
  int number = 0;
#define VALUE(...) \
  if (expression == number++) result = bits_of(__VA_ARGS__);
#include "device_values.def"
#undef VALUE
  results[input] = result;
}

// All results of one expression as one number.
unsigned long long sum_of(const std::vector<unsigned long long>& results) {
  unsigned long long sum = 0;
  for (const unsigned long long result : results) sum = mixed(sum + result);
  return sum;
}

#ifndef CONVKIT_DEVICE_VALUES_WITHOUT_MAIN
int main(int argc, char** argv) {
  unsigned long long* d_results;
  if (cudaMalloc(&d_results, kInputs * sizeof *d_results) != cudaSuccess) return 1;
  std::vector<unsigned long long> results(kInputs);
  FILE* file = argc > 1 ? std::fopen(argv[1], "wb") : nullptr;
  for (int expression = 0; expression < kExpressions; ++expression) {
    evaluate<<<kInputs / 256, 256>>>(expression, d_results);
    if (cudaMemcpy(results.data(), d_results, kInputs * sizeof *d_results,
                   cudaMemcpyDeviceToHost) != cudaSuccess) {
      std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
      return 1;
    }
    std::printf("%016llx %s\n", sum_of(results), kNames[expression]);
    if (file != nullptr) std::fwrite(results.data(), sizeof(results[0]), results.size(), file);
  }
  if (file != nullptr) std::fclose(file);
  cudaFree(d_results);
}
#endif

// SPDX-License-Identifier: MIT
#include "grade/speed/memory_floor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "convkit/timing.h"

namespace convkit {

double memory_floor_s(const SpeedCase& speed) {
  constexpr int kTries = 9;  // the best counts: the first ones fill the caches
  size_t elements = 0;
  for (const TensorShape& input : speed.inputs) elements += static_cast<size_t>(input.elements());
  const std::vector<float> inputs(elements, 1.0f);
  std::vector<float> copy(elements);
  std::vector<float> output(static_cast<size_t>(speed.output.elements()));
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const Stopwatch watch;
    std::memcpy(copy.data(), inputs.data(), inputs.size() * sizeof(float));
    std::memset(output.data(), i, output.size() * sizeof(float));
    best = std::min(best, watch.elapsed_s());
  }
  return best / 2;
}

namespace {

// FMAs have a latency of 4 to 5 cycles and two of them start in each: 12 independent chains keep
// both units busy and fit the 16 vector registers of AVX2.
constexpr int kChains = 12;
constexpr int kSteps = 20000;

// Must be inlined into a function with the right target, or the vectors would be split. Twelve
// named variables: an array of them would live in memory.
template <class Vector>
[[gnu::always_inline]] inline double flops_of_one_run() {
  constexpr int kLanes = sizeof(Vector) / sizeof(float);
  volatile float scale = 0.999f, shift = 0.001f;  // unknown to the compiler
  const Vector a = Vector{} + scale, b = Vector{} + shift;
  Vector s0 = a, s1 = a + 1, s2 = a + 2, s3 = a + 3, s4 = a + 4, s5 = a + 5, s6 = a + 6, s7 = a + 7,
         s8 = a + 8, s9 = a + 9, s10 = a + 10, s11 = a + 11;
  const Stopwatch watch;
  for (int step = 0; step < kSteps; ++step) {
    s0 = s0 * a + b, s1 = s1 * a + b, s2 = s2 * a + b, s3 = s3 * a + b;
    s4 = s4 * a + b, s5 = s5 * a + b, s6 = s6 * a + b, s7 = s7 * a + b;
    s8 = s8 * a + b, s9 = s9 * a + b, s10 = s10 * a + b, s11 = s11 * a + b;
  }
  const Vector sum = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11;
  volatile float sink = sum[0];  // before the clock is read: the loop must have ended
  (void)sink;
  return 2.0 * kLanes * kChains * kSteps / watch.elapsed_s();
}

typedef float Vector128 __attribute__((vector_size(16)));
[[maybe_unused]] double run_128() {
  return flops_of_one_run<Vector128>();
}

#if defined(__x86_64__)
typedef float Vector256 __attribute__((vector_size(32)));
typedef float Vector512 __attribute__((vector_size(64)));
__attribute__((target("avx2,fma"))) double run_256() {
  return flops_of_one_run<Vector256>();
}
__attribute__((target("avx512f"))) double run_512() {
  return flops_of_one_run<Vector512>();
}
#endif

}  // namespace

double measured_fma_peak_flops() {
  double (*run)() = run_128;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    run = run_512;
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    run = run_256;
#endif
  double best = 0;
  for (int i = 0; i < 40; ++i) best = std::max(best, run());
  return best;
}

}  // namespace convkit

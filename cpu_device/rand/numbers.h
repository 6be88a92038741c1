// SPDX-License-Identifier: MIT
// The numbers of a generator of the host API: many subsequences side by side, so that many threads
// of a GPU can make them.
//
// Which subsequence gives which place of the results is as in NVIDIA's library (for the host,
// version 10.4; its guide says that the device's results are the same). The place counts from the
// generator's first result, whatever the calls:
//
//   XORWOW         place p is the next draw of subsequence p mod 4096;
//   MRG32k3a       likewise with 81920 of them, or 4096 in the order LEGACY;
//   Philox4x32-10  places 4 q to 4 q + 3 are the next four draws of subsequence q mod 65536.
//
// A double is made of as many draws as in a kernel. XORWOW and MRG32k3a make normal numbers in
// pairs, and a pair counts as one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "simt/curand_types.h"

namespace convkit::simt::rand {

class Numbers {
 public:
  virtual ~Numbers() = default;

  // The next `n` results; `n` of normal ones is a multiple of normals_at_a_time().
  virtual void bits(unsigned* out, size_t n) = 0;
  virtual void uniform(float* out, size_t n) = 0;
  virtual void uniform(double* out, size_t n) = 0;
  virtual void normal(float* out, size_t n, float mean, float stddev) = 0;
  virtual void normal(double* out, size_t n, double mean, double stddev) = 0;
  virtual void log_normal(float* out, size_t n, float mean, float stddev) = 0;
  virtual void log_normal(double* out, size_t n, double mean, double stddev) = 0;
};

// Whether cpu_device/rand has that generator.
bool has_numbers(curandRngType_t type);

// Normal numbers are made so many at a time.
size_t normals_at_a_time(curandRngType_t type);

// All subsequences as if each place before `place` had taken one draw.
std::unique_ptr<Numbers> make_numbers(curandRngType_t type, curandOrdering_t order, uint64_t seed,
                                      uint64_t place);

}  // namespace convkit::simt::rand

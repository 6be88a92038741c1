// SPDX-License-Identifier: MIT
// cuRAND's uniform distributions: 0 is excluded, 1 is included.
#pragma once

#include "simt/curand_mrg32k3a.h"
#include "simt/curand_philox.h"
#include "simt/curand_xorwow.h"

namespace convkit::simt {

constexpr float k2Pow32Inverse = 0x1p-32f;

static inline float uniform_of(unsigned draw) {
  return static_cast<float>(draw) * k2Pow32Inverse + k2Pow32Inverse / 2;
}
// 53 bits of two draws; products with powers of two are exact.
static inline double uniform_of(unsigned low, unsigned high) {
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}
constexpr double kMrgInverse = 1.0 / kMrgModulus1;

}  // namespace convkit::simt

static inline float curand_uniform(curandStateXORWOW* state) {
  return convkit::simt::uniform_of(curand(state));
}
static inline float curand_uniform(curandStatePhilox4_32_10* state) {
  return convkit::simt::uniform_of(curand(state));
}
static inline float curand_uniform(curandStateMRG32k3a* state) {
  return static_cast<float>(static_cast<double>(convkit::simt::mrg_draw(state)) *
                            convkit::simt::kMrgInverse);
}

static inline double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned low = curand(state), high = curand(state);
  return convkit::simt::uniform_of(low, high);
}
// One draw only, which has 32 bits.
static inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
static inline double curand_uniform_double(curandStateMRG32k3a* state) {
  return static_cast<double>(convkit::simt::mrg_draw(state)) * convkit::simt::kMrgInverse;
}

static inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 draws = curand4(state);
  using convkit::simt::uniform_of;
  return {uniform_of(draws.x), uniform_of(draws.y), uniform_of(draws.z), uniform_of(draws.w)};
}
static inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 draws = curand4(state);
  using convkit::simt::uniform_of;
  return {uniform_of(draws.x, draws.y), uniform_of(draws.z, draws.w)};
}
static inline double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}

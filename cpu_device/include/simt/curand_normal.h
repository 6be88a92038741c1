// SPDX-License-Identifier: MIT
// cuRAND's normal and log-normal distributions: pairs of numbers after Box and Muller 1958, "A note
// on the generation of random normal deviates". The angle's sine comes first, then its cosine.
#pragma once

#include <cmath>

#include "simt/curand_uniform.h"
#include "simt/fast_maths.h"
#include "simt/special_functions.h"

namespace convkit::simt {

static inline float2 box_muller(float uniform, float angle) {
  float2 pair;
  __sincosf(angle, &pair.x, &pair.y);
  const float radius = std::sqrt(-2.0f * std::log(uniform));
  return {pair.x * radius, pair.y * radius};
}
// The angle is in units of pi.
static inline double2 box_muller(double uniform, double half_turns) {
  double2 pair;
  sincospi(half_turns, &pair.x, &pair.y);
  const double radius = std::sqrt(-2.0 * std::log(uniform));
  return {pair.x * radius, pair.y * radius};
}

constexpr float k2Pi = 6.2831855f;

static inline float2 normal_pair(unsigned draw, unsigned turn) {
  // In double: nvcc contracts the product and the sum to one rounding.
  constexpr double kAngle = static_cast<double>(k2Pi) * 0x1p-32;
  return box_muller(uniform_of(draw),
                    static_cast<float>(static_cast<float>(turn) * kAngle + kAngle / 2));
}
static inline double2 normal_pair_double(const uint4& draws) {
  return box_muller(uniform_of(draws.x, draws.y), uniform_of(draws.z, draws.w) * 2);
}

// What a generator keeps of a pair that has been given out by halves.
enum KeptHalf { kKeptNone = 0, kKeptNormal = 1, kKeptLogNormal = 2 };

template <class State, class Pair>
float half_of_pair(State* state, KeptHalf kind, const Pair& pair) {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = kKeptNone;
    return state->boxmuller_extra;
  }
  const float2 both = pair();
  state->boxmuller_extra = both.y;
  state->boxmuller_flag = kind;
  return both.x;
}
template <class State, class Pair>
double half_of_pair_double(State* state, KeptHalf kind, const Pair& pair) {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = kKeptNone;
    return state->boxmuller_extra_double;
  }
  const double2 both = pair();
  state->boxmuller_extra_double = both.y;
  state->boxmuller_flag_double = kind;
  return both.x;
}

}  // namespace convkit::simt

static inline float2 curand_normal2(curandStateXORWOW* state) {
  const unsigned draw = curand(state), turn = curand(state);
  return convkit::simt::normal_pair(draw, turn);
}
static inline float2 curand_normal2(curandStatePhilox4_32_10* state) {
  const unsigned draw = curand(state), turn = curand(state);
  return convkit::simt::normal_pair(draw, turn);
}
static inline float2 curand_normal2(curandStateMRG32k3a* state) {
  const float uniform = curand_uniform(state), turn = curand_uniform(state);
  return convkit::simt::box_muller(uniform, turn * convkit::simt::k2Pi);
}

static inline double2 curand_normal2_double(curandStateXORWOW* state) {
  uint4 draws;
  draws.x = curand(state);
  draws.y = curand(state);
  draws.z = curand(state);
  draws.w = curand(state);
  return convkit::simt::normal_pair_double(draws);
}
static inline double2 curand_normal2_double(curandStatePhilox4_32_10* state) {
  return convkit::simt::normal_pair_double(curand4(state));
}
static inline double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double uniform = curand_uniform_double(state), turn = curand_uniform_double(state);
  return convkit::simt::box_muller(uniform, turn * 2);
}

static inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}
static inline double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}

// The same for each generator. `mean` and `stddev` are those of the logarithm; the half that a
// state keeps has been computed with those of its own call.
#define CONVKIT_SIMT_CURAND_NORMAL(State)                                                        \
  static inline float curand_normal(State* state) {                                              \
    return convkit::simt::half_of_pair(state, convkit::simt::kKeptNormal,                        \
                                       [=] { return curand_normal2(state); });                   \
  }                                                                                              \
  static inline double curand_normal_double(State* state) {                                      \
    return convkit::simt::half_of_pair_double(state, convkit::simt::kKeptNormal,                 \
                                              [=] { return curand_normal2_double(state); });     \
  }                                                                                              \
  static inline float2 curand_log_normal2(State* state, float mean, float stddev) {              \
    const float2 pair = curand_normal2(state);                                                   \
    return {std::exp(mean + stddev * pair.x), std::exp(mean + stddev * pair.y)};                 \
  }                                                                                              \
  static inline double2 curand_log_normal2_double(State* state, double mean, double stddev) {    \
    const double2 pair = curand_normal2_double(state);                                           \
    return {std::exp(mean + stddev * pair.x), std::exp(mean + stddev * pair.y)};                 \
  }                                                                                              \
  static inline float curand_log_normal(State* state, float mean, float stddev) {                \
    return convkit::simt::half_of_pair(state, convkit::simt::kKeptLogNormal,                     \
                                       [=] { return curand_log_normal2(state, mean, stddev); }); \
  }                                                                                              \
  static inline double curand_log_normal_double(State* state, double mean, double stddev) {      \
    return convkit::simt::half_of_pair_double(state, convkit::simt::kKeptLogNormal, [=] {        \
      return curand_log_normal2_double(state, mean, stddev);                                     \
    });                                                                                          \
  }
CONVKIT_SIMT_CURAND_NORMAL(curandStateXORWOW)
CONVKIT_SIMT_CURAND_NORMAL(curandStatePhilox4_32_10)
CONVKIT_SIMT_CURAND_NORMAL(curandStateMRG32k3a)
#undef CONVKIT_SIMT_CURAND_NORMAL

static inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
  const float2 a = curand_log_normal2(state, mean, stddev);
  const float2 b = curand_log_normal2(state, mean, stddev);
  return {a.x, a.y, b.x, b.y};
}
static inline double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean,
                                                double stddev) {
  const double2 a = curand_log_normal2_double(state, mean, stddev);
  const double2 b = curand_log_normal2_double(state, mean, stddev);
  return {a.x, a.y, b.x, b.y};
}

// SPDX-License-Identifier: MIT
// Thrust on the CPU device: random numbers. The same engines with the same seed give what Thrust
// gives; the distributions compute as the headers of CCCL 3.0 do.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace thrust {
namespace random {

// x becomes (a * x + c) mod m (ISO C++, [rand.eng.lcong]).
template <class UInt, UInt a, UInt c, UInt m>
class linear_congruential_engine {
 public:
  using result_type = UInt;
  // Values and not functions, as Thrust has them.
  static constexpr result_type multiplier = a, increment = c, modulus = m;
  static constexpr result_type min = c == 0u ? 1u : 0u, max = m - 1u, default_seed = 1u;

  __host__ __device__ explicit linear_congruential_engine(result_type s = default_seed) { seed(s); }
  __host__ __device__ void seed(result_type s = default_seed) {
    state_ = c % m == 0 && s % m == 0 ? 1 : s % m;
  }
  __host__ __device__ result_type operator()() {
    state_ = static_cast<result_type>((uint64_t{a} * state_ + c) % m);
    return state_;
  }
  // Skips z values, in log(z) steps: z of them are one step of the same kind.
  __host__ __device__ void discard(unsigned long long z) {
    uint64_t factor = a, offset = c, all = 1, sum = 0;
    for (; z != 0; z /= 2) {
      if (z % 2 != 0) {
        all = all * factor % m;
        sum = (sum * factor + offset) % m;
      }
      offset = (factor + 1) * offset % m;
      factor = factor * factor % m;
    }
    state_ = static_cast<result_type>((all * state_ + sum) % m);
  }

  friend bool operator==(const linear_congruential_engine& one,
                         const linear_congruential_engine& other) {
    return one.state_ == other.state_;
  }
  friend bool operator!=(const linear_congruential_engine& one,
                         const linear_congruential_engine& other) {
    return !(one == other);
  }

 private:
  result_type state_;
};

using minstd_rand0 = linear_congruential_engine<uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

// From a to b, without b.
template <class Real = double>
class uniform_real_distribution {
 public:
  using result_type = Real;
  using param_type = std::pair<Real, Real>;

  __host__ __device__ explicit uniform_real_distribution(Real a = 0, Real b = 1) : range_(a, b) {}
  __host__ __device__ explicit uniform_real_distribution(const param_type& range) : range_(range) {}
  __host__ __device__ void reset() {}
  template <class Engine>
  __host__ __device__ Real operator()(Engine& engine) {
    return (*this)(engine, range_);
  }
  template <class Engine>
  __host__ __device__ Real operator()(Engine& engine, const param_type& range) {
    const Real part = static_cast<Real>(engine() - Engine::min) /
                      (Real(1) + static_cast<Real>(Engine::max - Engine::min));
    return part * (range.second - range.first) + range.first;
  }
  __host__ __device__ Real a() const { return range_.first; }
  __host__ __device__ Real b() const { return range_.second; }
  __host__ __device__ param_type param() const { return range_; }
  __host__ __device__ void param(const param_type& range) { range_ = range; }
  __host__ __device__ Real min() const { return a(); }
  __host__ __device__ Real max() const { return b(); }

 private:
  param_type range_;
};

// From a to b, with b.
template <class Int = int>
class uniform_int_distribution {
 public:
  using result_type = Int;
  using param_type = std::pair<Int, Int>;

  __host__ __device__ explicit uniform_int_distribution(Int a = 0,
                                                        Int b = std::numeric_limits<Int>::max())
      : range_(a, b) {}
  __host__ __device__ explicit uniform_int_distribution(const param_type& range) : range_(range) {}
  __host__ __device__ void reset() {}
  template <class Engine>
  __host__ __device__ Int operator()(Engine& engine) {
    return (*this)(engine, range_);
  }
  template <class Engine>
  __host__ __device__ Int operator()(Engine& engine, const param_type& range) {
    uniform_real_distribution<double> real(static_cast<double>(range.first),
                                           static_cast<double>(range.second) + 1);
    return static_cast<Int>(real(engine));
  }
  __host__ __device__ Int a() const { return range_.first; }
  __host__ __device__ Int b() const { return range_.second; }
  __host__ __device__ param_type param() const { return range_; }
  __host__ __device__ void param(const param_type& range) { range_ = range; }
  __host__ __device__ Int min() const { return a(); }
  __host__ __device__ Int max() const { return b(); }

 private:
  param_type range_;
};

// By the inverse of the error function, from one value of the engine.
template <class Real = double>
class normal_distribution {
 public:
  using result_type = Real;
  using param_type = std::pair<Real, Real>;  // mean, standard deviation

  __host__ __device__ explicit normal_distribution(Real mean = 0, Real stddev = 1)
      : of_(mean, stddev) {}
  __host__ __device__ explicit normal_distribution(const param_type& of) : of_(of) {}
  __host__ __device__ void reset() {}
  template <class Engine>
  __host__ __device__ Real operator()(Engine& engine) {
    return (*this)(engine, of_);
  }
  template <class Engine>
  __host__ __device__ Real operator()(Engine& engine, const param_type& of) {
    using Bits = typename Engine::result_type;
    constexpr Bits kRange = Engine::max - Engine::min;
    constexpr Real kStep = static_cast<Real>(1. / static_cast<double>(kRange));
    Bits bits = engine() - Engine::min;
    Real scale = static_cast<Real>(-1.4142135623730950488);  // -sqrt(2)
    // Below 0.5 after the conversion: that is where the inverse is precise.
    if (bits > kRange / 2) {
      bits = kRange - bits;
      scale = -scale;
    }
    const Real part = static_cast<Real>(bits) * kStep + kStep / 2;
    return of.first + of.second * scale * inverse(2 * part);
  }
  __host__ __device__ Real mean() const { return of_.first; }
  __host__ __device__ Real stddev() const { return of_.second; }
  __host__ __device__ param_type param() const { return of_; }
  __host__ __device__ void param(const param_type& of) { of_ = of; }

 private:
  static float inverse(float x) { return erfcinvf(x); }
  static double inverse(double x) { return erfcinv(x); }

  param_type of_;
};

}  // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust

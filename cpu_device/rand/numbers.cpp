// SPDX-License-Identifier: MIT
#include "cpu_device/rand/numbers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "simt/curand_normal.h"

namespace convkit::simt::rand {
namespace {

// The subsequences, each begun when it is first used.
template <class State>
class Subsequences {
 public:
  Subsequences(size_t count, uint64_t seed) : seed_(seed), states_(count) {}

  size_t count() const { return states_.size(); }
  // `drawn` is what its draws are when it begins.
  State& at(size_t index, uint64_t drawn) {
    std::optional<State>& state = states_[index];
    if (!state) curand_init(seed_, index, drawn, &state.emplace());
    return *state;
  }

 private:
  uint64_t seed_;
  std::vector<std::optional<State>> states_;
};

// XORWOW, MRG32k3a: a place is a turn of one subsequence, and they take turns.
template <class State>
class TakingTurns : public Numbers {
 public:
  TakingTurns(size_t count, uint64_t seed, uint64_t place)
      : subsequences_(count, seed), begin_(place), place_(place) {}

  void bits(unsigned* out, size_t n) override {
    turns(n, [&](State* state, size_t i) { out[i] = curand(state); });
  }
  void uniform(float* out, size_t n) override {
    turns(n, [&](State* state, size_t i) { out[i] = curand_uniform(state); });
  }
  void uniform(double* out, size_t n) override {
    turns(n, [&](State* state, size_t i) { out[i] = curand_uniform_double(state); });
  }
  void normal(float* out, size_t n, float mean, float stddev) override {
    pairs(out, n, [=](State* state) {
      const float2 pair = curand_normal2(state);
      return float2{mean + stddev * pair.x, mean + stddev * pair.y};
    });
  }
  void normal(double* out, size_t n, double mean, double stddev) override {
    pairs(out, n, [=](State* state) {
      const double2 pair = curand_normal2_double(state);
      return double2{mean + stddev * pair.x, mean + stddev * pair.y};
    });
  }
  void log_normal(float* out, size_t n, float mean, float stddev) override {
    pairs(out, n, [=](State* state) { return curand_log_normal2(state, mean, stddev); });
  }
  void log_normal(double* out, size_t n, double mean, double stddev) override {
    pairs(out, n, [=](State* state) { return curand_log_normal2_double(state, mean, stddev); });
  }

 private:
  template <class Turn>
  void turns(size_t n, const Turn& turn) {
    const size_t count = subsequences_.count();
    for (size_t i = 0; i < n; ++i, ++place_) {
      const size_t index = place_ % count;
      const uint64_t drawn = begin_ / count + (index < begin_ % count ? 1 : 0);
      turn(&subsequences_.at(index, drawn), i);
    }
  }
  template <class T, class Pair>
  void pairs(T* out, size_t n, const Pair& pair) {
    turns(n / 2, [&](State* state, size_t i) {
      const auto both = pair(state);
      out[2 * i] = both.x;
      out[2 * i + 1] = both.y;
    });
  }

  Subsequences<State> subsequences_;
  uint64_t begin_, place_;
};

// Philox: four places are a turn of one subsequence. A turn that a call leaves unfinished is made
// again by the next one, which takes the rest.
class FourInATurn : public Numbers {
 public:
  using State = curandStatePhilox4_32_10;

  FourInATurn(uint64_t seed, uint64_t place)
      : subsequences_(65536, seed), begin_(place), place_(place) {}

  void bits(unsigned* out, size_t n) override {
    turns(out, n, [](State* state) { return curand4(state); });
  }
  void uniform(float* out, size_t n) override {
    turns(out, n, [](State* state) { return curand_uniform4(state); });
  }
  void uniform(double* out, size_t n) override {
    turns(out, n, [](State* state) { return curand_uniform4_double(state); });
  }
  void normal(float* out, size_t n, float mean, float stddev) override {
    turns(out, n, [](State* state) { return curand_normal4(state); });
    for (size_t i = 0; i < n; ++i) out[i] = mean + stddev * out[i];
  }
  void normal(double* out, size_t n, double mean, double stddev) override {
    turns(out, n, [](State* state) { return curand_normal4_double(state); });
    for (size_t i = 0; i < n; ++i) out[i] = mean + stddev * out[i];
  }
  void log_normal(float* out, size_t n, float mean, float stddev) override {
    turns(out, n, [=](State* state) { return curand_log_normal4(state, mean, stddev); });
  }
  void log_normal(double* out, size_t n, double mean, double stddev) override {
    turns(out, n, [=](State* state) { return curand_log_normal4_double(state, mean, stddev); });
  }

 private:
  template <class T, class Four>
  void turns(T* out, size_t n, const Four& four) {
    const size_t count = subsequences_.count();
    const uint64_t end = place_ + n;
    while (place_ < end) {
      const uint64_t turn = place_ / 4, before = begin_ / 4;
      const size_t index = turn % count;
      const uint64_t drawn = 4 * (before / count + (index < before % count ? 1 : 0));
      State& state = subsequences_.at(index, drawn);
      State next = state;
      const auto values = four(&next);
      const T all[4] = {values.x, values.y, values.z, values.w};
      const uint64_t stop = std::min(end, 4 * turn + 4);
      out = std::copy(all + place_ % 4, all + (stop - 4 * turn), out);
      if (stop == 4 * turn + 4) state = next;
      place_ = stop;
    }
  }

  Subsequences<State> subsequences_;
  uint64_t begin_, place_;
};

}  // namespace

bool has_numbers(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
         type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

size_t normals_at_a_time(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 1 : 2;
}

std::unique_ptr<Numbers> make_numbers(curandRngType_t type, curandOrdering_t order, uint64_t seed,
                                      uint64_t place) {
  if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10) return std::make_unique<FourInATurn>(seed, place);
  if (type == CURAND_RNG_PSEUDO_MRG32K3A) {
    const size_t count = order == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920;
    return std::make_unique<TakingTurns<curandStateMRG32k3a>>(count, seed, place);
  }
  return std::make_unique<TakingTurns<curandStateXORWOW>>(4096, seed, place);
}

}  // namespace convkit::simt::rand

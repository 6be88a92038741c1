// SPDX-License-Identifier: MIT
// Random words that nobody can predict from earlier ones: the kernel's generator, getrandom(2).
// Inputs of a timing come from here. A submission sees all of them; from those of a Mersenne
// Twister it could compute the state and every later round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace convkit {

// A UniformRandomBitGenerator. Throws KitError where the kernel gives nothing.
class KernelRandom {
 public:
  using result_type = uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()();

 private:
  std::array<result_type, 4096> words_;
  size_t used_ = words_.size();
};

}  // namespace convkit

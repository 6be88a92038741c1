// SPDX-License-Identifier: MIT
// The object behind a curandGenerator_t.
#pragma once

#include <memory>

#include "cpu_device/rand/numbers.h"

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  bool is_for_host = false;
  cudaStream_t stream = nullptr;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  uint64_t seed = 0;
  uint64_t place = 0;  // of the result that the next call begins with

  // Made when first needed. Shared with operations that have not run, and replaced by settings.
  std::shared_ptr<convkit::simt::rand::Numbers> numbers;
};

namespace convkit::simt::rand {

// Whether the generator was created and has not been destroyed.
bool is_alive(curandGenerator_t generator);

}  // namespace convkit::simt::rand

// SPDX-License-Identifier: MIT
// Why a call of cuRAND was refused.
#pragma once

#include <string>

#include "cpu_device/engine/refusal.h"
#include "cpu_device/rand/generator.h"

namespace convkit::simt::rand {

using simt::said;

class Refusal : public RefusalOf<curandStatus_t, CONVKIT_SIMT_CURAND> {
 public:
  using RefusalOf::RefusalOf;

  bool out_of_range(const std::string& sentence) {
    return with(CURAND_STATUS_OUT_OF_RANGE, sentence);
  }
  bool no_generator(curandGenerator_t generator) {  // NOT_INITIALIZED
    return !is_alive(generator) &&
           with(CURAND_STATUS_NOT_INITIALIZED,
                generator ? "generator was not made by curandCreateGenerator, or has been destroyed"
                          : "generator is null");
  }
};

}  // namespace convkit::simt::rand

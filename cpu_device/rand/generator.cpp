// SPDX-License-Identifier: MIT
// Generators and their settings.
#include "cpu_device/rand/generator.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "cpu_device/rand/refusal.h"
#include "simt/curand_generators.h"
#include "simt/runtime_api.h"

namespace convkit::simt::rand {
namespace {

std::mutex g_mutex;
std::vector<curandGenerator_t>& generators() {
  static auto* const all = new std::vector<curandGenerator_t>;
  return *all;
}

curandStatus_t create(const char* call, curandGenerator_t* generator, curandRngType_t type,
                      bool is_for_host) {
  Refusal refusal(call);
  if (!generator) {
    refusal.out_of_range("generator is null");
    return refusal.status();
  }
  if (!has_numbers(type)) {
    refusal.with(CURAND_STATUS_TYPE_ERROR,
                 said("rng_type is ", static_cast<int>(type),
                      "; the CPU device has XORWOW, MRG32K3A and PHILOX4_32_10"));
    return refusal.status();
  }
  auto* const made = new curandGenerator_st;
  made->type = type;
  made->is_for_host = is_for_host;
  *generator = made;
  const std::lock_guard lock(g_mutex);
  generators().push_back(made);
  return CURAND_STATUS_SUCCESS;
}

// Calls `change()` when the generator is one. Its numbers are made anew with the new settings.
template <class Change>
curandStatus_t set(const char* call, curandGenerator_t generator, const Change& change) {
  Refusal refusal(call);
  if (refusal.no_generator(generator)) return refusal.status();
  change();
  generator->numbers.reset();
  return CURAND_STATUS_SUCCESS;
}

// The order DYNAMIC is one of devices.
bool has_order(curandGenerator_t generator, curandOrdering_t order) {
  return order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
         order == CURAND_ORDERING_PSEUDO_LEGACY ||
         (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !generator->is_for_host);
}

}  // namespace

bool is_alive(curandGenerator_t generator) {
  const std::lock_guard lock(g_mutex);
  return generator &&
         std::find(generators().begin(), generators().end(), generator) != generators().end();
}

}  // namespace convkit::simt::rand

using namespace convkit::simt::rand;

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create("curandCreateGenerator", generator, rng_type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create("curandCreateGeneratorHost", generator, rng_type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  Refusal refusal("curandDestroyGenerator");
  if (refusal.no_generator(generator)) return refusal.status();
  if (!generator->is_for_host) cudaDeviceSynchronize();  // as freeing its states does on a GPU
  const std::lock_guard lock(g_mutex);
  generators().erase(std::find(generators().begin(), generators().end(), generator));
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  Refusal refusal("curandGetVersion");
  if (!version) {
    refusal.out_of_range("version is null");
    return refusal.status();
  }
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  Refusal refusal("curandGetProperty");
  if ((!value && refusal.out_of_range("value is null")) ||
      ((type < MAJOR_VERSION || type > PATCH_LEVEL) &&
       refusal.out_of_range(
           said("type is ", static_cast<int>(type), "; it must be a libraryPropertyType")))) {
    return refusal.status();
  }
  *value = kVersion[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  Refusal refusal("curandSetStream");
  if (refusal.no_generator(generator)) return refusal.status();
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return set("curandSetPseudoRandomGeneratorSeed", generator, [&] { generator->seed = seed; });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return set("curandSetGeneratorOffset", generator, [&] { generator->place = offset; });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  Refusal refusal("curandSetGeneratorOrdering");
  if (refusal.no_generator(generator) ||
      (!has_order(generator, order) &&
       refusal.out_of_range(said("order is ", static_cast<int>(order),
                                 "; this generator has CURAND_ORDERING_PSEUDO_DEFAULT, BEST and "
                                 "LEGACY")))) {
    return refusal.status();
  }
  return set("curandSetGeneratorOrdering", generator, [&] { generator->order = order; });
}

// Subsequences are begun when they are first used.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  Refusal refusal("curandGenerateSeeds");
  if (refusal.no_generator(generator)) return refusal.status();
  return CURAND_STATUS_SUCCESS;
}

}  // extern "C"

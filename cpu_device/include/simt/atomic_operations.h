// SPDX-License-Identifier: MIT
// Atomic read-modify-write, relaxed as CUDA's is. Blocks run on several threads of the operating
// system at once, so global memory needs the processor's own atomics.
#pragma once

#include <cstring>

#include "simt/attributes.h"
#include "simt/device_side.h"

namespace convkit::simt {

// Check mode is told about every atomic access: two atomic accesses of one element are not a race.
static inline void before_atomic(const void* address, unsigned size) {
#ifdef CONVKIT_SIMT_CHECK
  convkit_simt_atomic(address, size);
#else
  (void)address;
  (void)size;
#endif
}

template <class Value>
static inline Value exchange(Value* address, Value value) {
  before_atomic(address, sizeof(Value));
  __atomic_exchange(address, &value, &value, __ATOMIC_RELAXED);
  return value;
}

template <class Value>
static inline Value compare_and_swap(Value* address, Value expected, Value desired) {
  before_atomic(address, sizeof(Value));
  __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}

// Replaces the value by change(value) and returns what was there before.
template <class Value, class Change>
static inline Value fetch_and_change(Value* address, Change change) {
  before_atomic(address, sizeof(Value));
  Value old_value;
  __atomic_load(address, &old_value, __ATOMIC_RELAXED);
  Value new_value = change(old_value);
  while (!__atomic_compare_exchange(address, &old_value, &new_value, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
    new_value = change(old_value);
  }
  return old_value;
}

template <class Value>
static inline Value fetch_add(Value* address, Value value) {
  before_atomic(address, sizeof(Value));
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
static inline float fetch_add(float* address, float value) {
  return fetch_and_change(address, [value](float old_value) { return old_value + value; });
}
static inline double fetch_add(double* address, double value) {
  return fetch_and_change(address, [value](double old_value) { return old_value + value; });
}

template <class Value>
static inline Value fetch_sub(Value* address, Value value) {
  before_atomic(address, sizeof(Value));
  return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}
template <class Value>
static inline Value fetch_and(Value* address, Value value) {
  before_atomic(address, sizeof(Value));
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}
template <class Value>
static inline Value fetch_or(Value* address, Value value) {
  before_atomic(address, sizeof(Value));
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <class Value>
static inline Value fetch_xor(Value* address, Value value) {
  before_atomic(address, sizeof(Value));
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

template <class Value>
static inline Value fetch_min(Value* address, Value value) {
  return fetch_and_change(
      address, [value](Value old_value) { return value < old_value ? value : old_value; });
}
template <class Value>
static inline Value fetch_max(Value* address, Value value) {
  return fetch_and_change(
      address, [value](Value old_value) { return old_value < value ? value : old_value; });
}

// Counts 0, 1 ... limit, 0 ...
static inline unsigned int fetch_increment(unsigned int* address, unsigned int limit) {
  return fetch_and_change(address, [limit](unsigned int old_value) {
    return old_value >= limit ? 0u : old_value + 1u;
  });
}
// Counts limit, limit - 1 ... 0, limit ...
static inline unsigned int fetch_decrement(unsigned int* address, unsigned int limit) {
  return fetch_and_change(address, [limit](unsigned int old_value) {
    return old_value == 0u || old_value > limit ? limit : old_value - 1u;
  });
}

}  // namespace convkit::simt

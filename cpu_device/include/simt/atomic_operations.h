// SPDX-License-Identifier: MIT
// Atomic read-modify-write, relaxed as CUDA's is. Blocks run on several threads of the operating
// system at once, so global memory needs the processor's own atomics.
#pragma once

#include <cstring>

#include "simt/attributes.h"
#include "simt/device_side.h"

namespace convkit::simt {

// What check mode wants to know of an atomic operation.
enum AtomicManner : unsigned {
  kAtomicOfBlock = 1,   // it is atomic among the threads of a block only
  kAtomicSets = 2,      // the new value is not computed from the old one
  kAtomicCounts = 4,    // by one
  kAtomicAcquires = 8,  // what the thread does then comes after it, without a fence
  kAtomicRelaxed = 16,  // only behind a fence, though the thread only looks
};

// Check mode is told about every atomic access: two atomic accesses of one element are not a race.
static inline void before_atomic(const void* address, unsigned size, unsigned manner = 0) {
#ifdef CONVKIT_SIMT_CHECK
  convkit_simt_atomic(address, size, manner);
#else
  (void)address;
  (void)size;
  (void)manner;
#endif
}

// `scope` is kAtomicOfBlock or 0.

template <class Value>
static inline Value exchange(Value* address, Value value, unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope | kAtomicSets);
  __atomic_exchange(address, &value, &value, __ATOMIC_RELAXED);
  return value;
}

template <class Value>
static inline Value compare_and_swap(Value* address, Value expected, Value desired,
                                     unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope | kAtomicSets);
  __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}

// Replaces the value by change(value) and returns what was there before.
template <class Value, class Change>
static inline Value fetch_and_change(Value* address, Change change, unsigned manner = 0) {
  before_atomic(address, sizeof(Value), manner);
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
static inline unsigned counts_by_one(Value value) {
  return value == Value(1) || value == Value(-1) ? unsigned{kAtomicCounts} : 0;
}

template <class Value>
static inline Value fetch_add(Value* address, Value value, unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope | counts_by_one(value));
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
static inline float fetch_add(float* address, float value, unsigned scope = 0) {
  return fetch_and_change(
      address, [value](float old_value) { return old_value + value; }, scope);
}
static inline double fetch_add(double* address, double value, unsigned scope = 0) {
  return fetch_and_change(
      address, [value](double old_value) { return old_value + value; }, scope);
}

template <class Value>
static inline Value fetch_sub(Value* address, Value value, unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope | counts_by_one(value));
  return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}
template <class Value>
static inline Value fetch_and(Value* address, Value value, unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope | kAtomicSets);
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}
template <class Value>
static inline Value fetch_or(Value* address, Value value, unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope | kAtomicSets);
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <class Value>
static inline Value fetch_xor(Value* address, Value value, unsigned scope = 0) {
  before_atomic(address, sizeof(Value), scope);
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

template <class Value>
static inline Value fetch_min(Value* address, Value value, unsigned scope = 0) {
  return fetch_and_change(
      address, [value](Value old_value) { return value < old_value ? value : old_value; }, scope);
}
template <class Value>
static inline Value fetch_max(Value* address, Value value, unsigned scope = 0) {
  return fetch_and_change(
      address, [value](Value old_value) { return old_value < value ? value : old_value; }, scope);
}

// Counts 0, 1 ... limit, 0 ...
static inline unsigned int fetch_increment(unsigned int* address, unsigned int limit,
                                           unsigned scope = 0) {
  return fetch_and_change(
      address, [limit](unsigned int old_value) { return old_value >= limit ? 0u : old_value + 1u; },
      scope | kAtomicCounts);
}
// Counts limit, limit - 1 ... 0, limit ...
static inline unsigned int fetch_decrement(unsigned int* address, unsigned int limit,
                                           unsigned scope = 0) {
  return fetch_and_change(
      address,
      [limit](unsigned int old_value) {
        return old_value == 0u || old_value > limit ? limit : old_value - 1u;
      },
      scope | kAtomicCounts);
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// libcu++'s atomics: cuda::atomic, cuda::atomic_ref and cuda::atomic_thread_fence (CUDA C++ Core
// Libraries, "Extended API", "Synchronization Primitives"). All scopes are one on a CPU, and every
// operation has the strongest order; check mode takes the scope and the order that were asked for
// at their word: only what releases hands on what the thread did before.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "simt/atomic_operations.h"

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

static inline void atomic_thread_fence(memory_order order,
                                       thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
  convkit_simt_fence(scope == thread_scope_block ? 0 : scope == thread_scope_device ? 1 : 2);
}

}  // namespace cuda

namespace convkit::simt {

// What atomic and atomic_ref have in common. `Self` has value_address().
template <class Self, class T, cuda::thread_scope scope>
class ScopedAtomic {
  static_assert(std::is_trivially_copyable<T>::value, "the value must be trivially copyable");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "on the CPU device an atomic has 1, 2, 4 or 8 bytes");
  using Order = cuda::memory_order;
  static constexpr bool kInteger = std::is_integral<T>::value;
  static constexpr bool kOfBlock =
      scope == cuda::thread_scope_block || scope == cuda::thread_scope_thread;
  // What is added to a pointer counts in elements.
  using Difference = std::conditional_t<std::is_pointer<T>::value, std::ptrdiff_t, T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const noexcept { return true; }

  // Others of the block may run before each look: a loop that polls then ends.
  T load(Order order = cuda::memory_order_seq_cst) const noexcept {
    convkit_simt_yield();
    before_atomic(address(), sizeof(T), manner_of(order));
    T value;
    __atomic_load(address(), &value, __ATOMIC_SEQ_CST);
    return value;
  }
  void store(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    before_change(order, kAtomicSets);
    __atomic_store(address(), &value, __ATOMIC_SEQ_CST);
  }
  T exchange(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    before_change(order, kAtomicSets);
    T old;
    __atomic_exchange(address(), &value, &old, __ATOMIC_SEQ_CST);
    // Nothing has changed, as where a lock is taken already: its holder may be of this block.
    if (__builtin_memcmp(&old, &value, sizeof old) == 0) convkit_simt_yield();
    return old;
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order) const noexcept {
    return compare_exchange_strong(expected, desired, success);
  }
  bool compare_exchange_strong(T& expected, T desired,
                               Order order = cuda::memory_order_seq_cst) const noexcept {
    before_change(order, kAtomicSets);
    const bool same = __atomic_compare_exchange(address(), &expected, &desired, false,
                                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (!same) convkit_simt_yield();
    return same;
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order) const noexcept {
    return compare_exchange_strong(expected, desired, success);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             Order order = cuda::memory_order_seq_cst) const noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

  T fetch_add(Difference value, Order order = cuda::memory_order_seq_cst) const noexcept {
    return change(order, [value](T old) { return static_cast<T>(old + value); });
  }
  T fetch_sub(Difference value, Order order = cuda::memory_order_seq_cst) const noexcept {
    return change(order, [value](T old) { return static_cast<T>(old - value); });
  }
  T fetch_and(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    static_assert(kInteger, "bits of integers only");
    return change(order, [value](T old) { return static_cast<T>(old & value); });
  }
  T fetch_or(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    static_assert(kInteger, "bits of integers only");
    return change(order, [value](T old) { return static_cast<T>(old | value); });
  }
  T fetch_xor(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    static_assert(kInteger, "bits of integers only");
    return change(order, [value](T old) { return static_cast<T>(old ^ value); });
  }
  T fetch_min(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    return change(order, [value](T old) { return value < old ? value : old; });
  }
  T fetch_max(T value, Order order = cuda::memory_order_seq_cst) const noexcept {
    return change(order, [value](T old) { return old < value ? value : old; });
  }

  operator T() const noexcept { return load(); }
  T operator++() const noexcept { return static_cast<T>(fetch_add(1) + 1); }
  T operator++(int) const noexcept { return fetch_add(1); }
  T operator--() const noexcept { return static_cast<T>(fetch_sub(1) - 1); }
  T operator--(int) const noexcept { return fetch_sub(1); }
  T operator+=(Difference value) const noexcept { return static_cast<T>(fetch_add(value) + value); }
  T operator-=(Difference value) const noexcept { return static_cast<T>(fetch_sub(value) - value); }
  T operator&=(T value) const noexcept { return static_cast<T>(fetch_and(value) & value); }
  T operator|=(T value) const noexcept { return static_cast<T>(fetch_or(value) | value); }
  T operator^=(T value) const noexcept { return static_cast<T>(fetch_xor(value) ^ value); }

  // By polling: nobody needs to be told.
  void wait(T old, Order order = cuda::memory_order_seq_cst) const noexcept {
    while (load(order) == old) {
    }
  }
  void notify_one() const noexcept {}
  void notify_all() const noexcept {}

 protected:
  ScopedAtomic() = default;

 private:
  T* address() const { return static_cast<const Self*>(this)->value_address(); }
  static constexpr unsigned manner_of(Order order) {
    const bool acquires =
        order != cuda::memory_order_relaxed && order != cuda::memory_order_release;
    return (kOfBlock ? kAtomicOfBlock : 0u) | (acquires ? kAtomicAcquires : kAtomicRelaxed);
  }
  void before_change(Order order, unsigned manner = 0) const {
    const bool releases = order != cuda::memory_order_relaxed &&
                          order != cuda::memory_order_acquire &&
                          order != cuda::memory_order_consume;
    if (releases) convkit_simt_fence(kOfBlock ? 0 : 1);
    before_atomic(address(), sizeof(T), manner | manner_of(order));
  }
  template <class Change>
  T change(Order order, const Change& changed) const {
    before_change(order);
    T old;
    __atomic_load(address(), &old, __ATOMIC_RELAXED);
    T value = changed(old);
    while (!__atomic_compare_exchange(address(), &old, &value, true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
      value = changed(old);
    }
    return old;
  }
};

}  // namespace convkit::simt

namespace cuda {

template <class T, thread_scope scope = thread_scope_system>
class atomic : public convkit::simt::ScopedAtomic<atomic<T, scope>, T, scope> {
 public:
  atomic() noexcept = default;
  constexpr atomic(T value) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  T operator=(T value) noexcept {
    this->store(value);
    return value;
  }
  T* value_address() const { return &value_; }

 private:
  mutable T value_;
};

// The value must be aligned to its size.
template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public convkit::simt::ScopedAtomic<atomic_ref<T, scope>, T, scope> {
 public:
  static constexpr size_t required_alignment = sizeof(T);
  explicit atomic_ref(T& value) noexcept : value_(&value) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  T operator=(T value) const noexcept {
    this->store(value);
    return value;
  }
  T* value_address() const { return value_; }

 private:
  T* value_;
};

namespace std {
template <class T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
}  // namespace std

}  // namespace cuda

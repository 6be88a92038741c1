// SPDX-License-Identifier: MIT
// PTX that reads and writes memory: ld, st, atom, red, cp.async, cvta. All of it is inlined into
// the kernel: check mode sees its accesses as the kernel's own, at the line of the asm statement.
#pragma once

#include "simt/address_spaces.h"
#include "simt/async_copies.h"
#include "simt/atomic_operations.h"
#include "simt/ptx/halves.h"
#include "simt/ptx/registers.h"

namespace convkit::simt::ptx {

template <class S>
constexpr bool is_in_shared() {
  return S::has("shared") || S::has("shared::cta");
}

template <class S, int operand>
static __forceinline__ Bits address_bits(const Bits* v) {
  Bits address = S::template bits<operand, 0>(v);
  if constexpr (S::count(operand) == 2) address += S::template bits<operand, 1>(v);
  return address;
}

// The operand in brackets as a pointer.
template <class S, int operand, bool shared = is_in_shared<S>()>
static __forceinline__ void* pointer(const Bits* v) {
  const Bits address = address_bits<S, operand>(v);
  if constexpr (shared) {
    return convkit_simt_shared_pointer_of(address, S::file(), S::line());
  } else {
    return reinterpret_cast<void*>(address);
  }
}

// So many elements that are one access.
template <class T, int count>
struct alignas(sizeof(T) * count) Together {
  T element[count];
};

template <class S>
constexpr bool is_atomic_access() {
  return S::has("relaxed") || S::has("acquire") || S::has("release");
}
template <class S>
static __forceinline__ void fence_if_releases() {
  if constexpr (S::has("release") || S::has("acq_rel")) convkit_simt_fence(S::has("cta") ? 0 : 1);
}
template <class S>
constexpr unsigned manner() {
  const unsigned scope = S::has("cta") ? kAtomicOfBlock : 0u;
  if (S::has("relaxed") || S::has("release")) return scope | kAtomicRelaxed;
  return scope | (S::has("acquire") || S::has("acq_rel") ? kAtomicAcquires : 0u);
}

// Others of the block may run before a look at what they may change: a loop that polls then ends.
template <class T>
static __forceinline__ T load_atomically(const T* from, unsigned manner) {
  convkit_simt_yield();
  before_atomic(from, sizeof(T), manner);
  T value;
  __atomic_load(from, &value, __ATOMIC_SEQ_CST);
  return value;
}

template <class S, class T, int i>
static __forceinline__ void load_element(Bits* v, const void* address) {
  const T* const from = static_cast<const T*>(address) + i;
  if constexpr (S::has("volatile")) {
    S::template set<0, i>(v, *static_cast<const volatile T*>(from));
  } else {
    S::template set<0, i>(v, load_atomically(from, manner<S>()));
  }
}

template <class S, int... i>
static __forceinline__ void load(Bits* v, std::integer_sequence<int, i...>) {
  using T = Stored<S::kType>;
  constexpr int count = sizeof...(i);
  const void* const address = pointer<S, 1>(v);
  if constexpr (S::has("volatile") || is_atomic_access<S>()) {
    (load_element<S, T, i>(v, address), ...);
  } else {
    const Together<T, count> values = *static_cast<const Together<T, count>*>(address);
    (S::template set<0, i>(v, values.element[i]), ...);
  }
}

template <class S, class T, int i>
static __forceinline__ void store_element(const Bits* v, void* address) {
  T* const to = static_cast<T*>(address) + i;
  T value = S::template get<T, 1, i>(v);
  if constexpr (S::has("volatile")) {
    *static_cast<volatile T*>(to) = value;
  } else {
    fence_if_releases<S>();
    before_atomic(to, sizeof(T), manner<S>() | kAtomicSets);
    __atomic_store(to, &value, __ATOMIC_SEQ_CST);
  }
}

template <class S, int... i>
static __forceinline__ void store(const Bits* v, std::integer_sequence<int, i...>) {
  using T = Stored<S::kType>;
  constexpr int count = sizeof...(i);
  void* const address = pointer<S, 0>(v);
  if constexpr (S::has("volatile") || is_atomic_access<S>()) {
    (store_element<S, T, i>(v, address), ...);
  } else {
    const Together<T, count> values = {{S::template get<T, 1, i>(v)...}};
    *static_cast<Together<T, count>*>(address) = values;
  }
}

// atom and red, whose first value is operand `first`; returns what was there before.
template <class S, int first, class T>
static __forceinline__ T change_atomically(const Bits* v, T* at) {
  const T value = S::template get<T, first>(v);
  if constexpr (S::has("cas")) {
    const T desired = S::template get<T, first + 1>(v);
    const T old = compare_and_swap(at, value, desired, manner<S>());
    if (old != value) convkit_simt_yield();
    return old;
  } else if constexpr (S::has("exch")) {
    const T old = exchange(at, value, manner<S>());
    // Nothing has changed, as where a lock is taken: its holder may be of this block.
    if (old == value) convkit_simt_yield();
    return old;
  } else if constexpr (S::has("inc")) {
    return fetch_increment(at, value, manner<S>());
  } else if constexpr (S::has("dec")) {
    return fetch_decrement(at, value, manner<S>());
  } else if constexpr (S::has("min")) {
    return fetch_min(at, value, manner<S>());
  } else if constexpr (S::has("max")) {
    return fetch_max(at, value, manner<S>());
  } else if constexpr (S::has("and")) {
    return fetch_and(at, value, manner<S>());
  } else if constexpr (S::has("or")) {
    return fetch_or(at, value, manner<S>());
  } else if constexpr (S::has("xor")) {
    return fetch_xor(at, value, manner<S>());
  } else if constexpr (is_half(S::kType)) {
    return fetch_and_change(
        at,
        [value](T old) {
          return static_cast<T>(
              each_half<S::kType>([](auto a, auto b) { return a + b; }, old, value));
        },
        manner<S>());
  } else {
    return fetch_add(at, value, manner<S>());
  }
}

template <class S, bool returns>
static __forceinline__ void atomic(Bits* v) {
  using T = Stored<S::kType>;
  T* const at = static_cast<T*>(pointer < S, returns ? 1 : 0 > (v));
  fence_if_releases<S>();
  const T old = change_atomically < S, returns ? 2 : 1 > (v, at);
  if constexpr (returns) S::template set<0>(v, old);
}

template <class S>
static __forceinline__ void convert_address(Bits* v) {
  const Bits address = S::template bits<1>(v);
  if constexpr (!is_in_shared<S>()) {
    S::template set<0>(v, address);
  } else if constexpr (S::has("to")) {
    S::template set<0>(v, convkit_simt_shared_address(reinterpret_cast<const void*>(address)));
  } else {
    S::template set<0>(
        v, reinterpret_cast<Bits>(convkit_simt_shared_pointer_of(address, S::file(), S::line())));
  }
}

// cp.async.ca.shared.global [to], [from], size{, source size}{, policy}
template <class S>
static __forceinline__ void copy_asynchronously(const Bits* v) {
  constexpr bool has_size = S::kOperands - (S::kInstruction.has_word_like("L2::cache_hint")) == 4;
  const unsigned size = S::template get<unsigned, 2>(v);
  unsigned bytes = size;
  if constexpr (has_size) {
    constexpr const Value& given = S::kInstruction.operands[3].elements[0];
    const unsigned value = S::template get<unsigned, 3>(v);
    bytes = given.predicate ? (value != 0 ? 0 : size) : value;
  }
  const bool fits = S::has("cg") ? size == 16 : size == 4 || size == 8 || size == 16;
  if (!fits || bytes > size) {
    convkit_simt_trap("cp.async of a size that it does not have (.cg: 16 bytes; .ca: 4, 8 or 16)",
                      S::file(), S::line());
  }
  convkit_simt_async_copy(pointer<S, 0, true>(v), pointer<S, 1, false>(v), bytes, size - bytes,
                          size);
}

template <class S>
static __forceinline__ void asynchronous(const Bits* v) {
  if constexpr (S::has("commit_group")) {
    convkit_simt_async_commit();
  } else if constexpr (S::has("wait_group")) {
    convkit_simt_async_wait(S::template get<unsigned, 0>(v));
  } else if constexpr (S::has("wait_all")) {
    convkit_simt_async_commit();
    convkit_simt_async_wait(0);
  } else {
    copy_asynchronously<S>(v);
  }
}

}  // namespace convkit::simt::ptx

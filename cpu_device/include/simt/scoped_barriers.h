// SPDX-License-Identifier: MIT
// libcu++'s cuda::barrier for the threads of one block, and cuda::memcpy_async with it. The copies
// of a thread are made when it next arrives at the barrier, as late as CUDA allows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/async_copies.h"
#include "simt/attributes.h"
#include "simt/block_barriers.h"
#include "simt/qualifiers.h"
#include "simt/scoped_atomics.h"

namespace cuda {
namespace std {
// What a barrier does when a phase is complete: nothing.
struct __empty_completion {
  void operator()() const noexcept {}
};
}  // namespace std

template <thread_scope scope, class Completion = std::__empty_completion>
class barrier {
  static_assert(scope == thread_scope_block,
                "on the CPU device a cuda::barrier is one of the threads of a block: "
                "cuda::barrier<cuda::thread_scope_block>");
  static_assert(::std::is_same<Completion, std::__empty_completion>::value,
                "on the CPU device a cuda::barrier calls no function when a phase is complete");

 public:
  class arrival_token {
   public:
    arrival_token(arrival_token&&) = default;
    arrival_token& operator=(arrival_token&&) = default;

   private:
    friend class barrier;
    explicit arrival_token(unsigned phase) : phase_(phase) {}
    unsigned phase_;
  };

  barrier() = default;
  barrier(::std::ptrdiff_t expected, Completion = Completion()) { set_up(expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  [[nodiscard]] arrival_token arrive(::std::ptrdiff_t count = 1, CONVKIT_SIMT_SITE) {
    make_copies();
    return arrival_token(
        convkit_simt_barrier_arrive(&state_, static_cast<unsigned>(count), 0, CONVKIT_SIMT_AT));
  }
  void wait(arrival_token&& token, CONVKIT_SIMT_SITE) const {
    convkit_simt_barrier_wait(&state_, token.phase_, CONVKIT_SIMT_AT);
  }
  void arrive_and_wait(CONVKIT_SIMT_SITE) { wait(arrive(1, CONVKIT_SIMT_AT), CONVKIT_SIMT_AT); }
  void arrive_and_drop(CONVKIT_SIMT_SITE) {
    make_copies();
    convkit_simt_barrier_arrive(&state_, 1, 1, CONVKIT_SIMT_AT);
  }

  friend void init(barrier* self, ::std::ptrdiff_t expected, Completion = Completion()) {
    self->set_up(expected);
  }

 private:
  void set_up(::std::ptrdiff_t expected) {
    convkit_simt_barrier_init(&state_, static_cast<unsigned>(expected));
  }
  static void make_copies() {
    convkit_simt_async_commit();
    convkit_simt_async_wait(0);
  }

  mutable ConvkitSimtBarrier state_;
};

template <::std::size_t alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
  constexpr operator ::std::size_t() const { return value; }
};

// The calling thread copies all of it.
template <class Element, class Size>
static __forceinline__ void memcpy_async(Element* to, const Element* from, Size bytes,
                                         barrier<thread_scope_block>&) {
  convkit_simt_async_copy(to, from, static_cast<unsigned>(static_cast<::std::size_t>(bytes)), 0, 1);
}
// Each thread of the group copies its part.
template <class Group, class Element, class Size>
static __forceinline__ void memcpy_async(const Group& group, Element* to, const Element* from,
                                         Size bytes, barrier<thread_scope_block>&) {
  convkit::simt::copy_own_part(group, to, from, static_cast<::std::size_t>(bytes));
}

}  // namespace cuda

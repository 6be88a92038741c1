// SPDX-License-Identifier: MIT
// The loop over the threads of a block, for kernels whose threads neither wait for each other nor
// are asked who they are by anything outside the kernel. The rewriter finds them
// (cpu_device/rewrite/thread_loops.h) and makes a lambda of such a kernel's body, with the built-in
// variables as its parameters:
//
//   __global__ void k(float* x, int n) { CONVKIT_SIMT_GUARDED_THREADS
//     int i = ::convkit::simt::plus_thread(blockIdx.x * blockDim.x , threadIdx.x);
//     if (CONVKIT_SIMT_FAILS(i >= n)) return; CONVKIT_SIMT_PASSED
//     x[i] *= 2;
//   CONVKIT_SIMT_END_THREADS }
//
// The engine calls the kernel for one thread, or for a whole block. Then the lambda is called in a
// loop over threadIdx.x, which the compiler can vectorise: all that it reads of a thread are local
// values. Threads come in the order in which the engine would call them, so that nothing changes
// for threads that use the same memory: the compiler finds out in which cases they do not.
//
// A thread that fails the kernel's guard (`i >= n`) would leave the loop a condition, without which
// most processors can store no vector. So the guards of a row of threads are evaluated first (they
// read no memory), and where those that pass are the first of the row, the loop over them has no
// guard.
#pragma once

#include <cstddef>
#include <type_traits>

#include "simt/attributes.h"
#include "simt/builtin_variables.h"
#include "simt/device_side.h"

namespace convkit::simt {

// `first + x`, where x is threadIdx.x. An unsigned sum may wrap, and then an array is not walked
// through in order, as far as the compiler can tell; a signed sum may not. The sizes that
// run_block() gives away decide the condition for the usual terms, such as blockIdx.x * blockDim.x.
inline __attribute__((always_inline)) unsigned plus_thread(unsigned first, unsigned x) {
  constexpr unsigned kMostFirst = 0x7fffffff - 1024;
  if (first > kMostFirst) return first + x;
  return static_cast<unsigned>(static_cast<int>(first) + static_cast<int>(x));
}
// Of other types (blockIdx.x * some_long) as it is written.
template <class First>
inline __attribute__((always_inline)) auto plus_thread(const First& first, unsigned x) {
  return first + x;
}
template <class Second>
inline __attribute__((always_inline)) auto thread_plus(unsigned x, const Second& second) {
  if constexpr (std::is_same<Second, unsigned>::value) {
    return plus_thread(second, x);
  } else {
    return x + second;
  }
}

// What a call of the lambda is for. (Names that a program's macros hardly have: they stand in its
// text.)
enum class Pass {
  guard_pass,  // to see whether the thread passes the guards
  loop_pass,   // the thread passes them
  thread_pass  // all of the kernel
};

// One thread. Returns whether it passes the guards, if that is asked.
template <class Kernel>
__attribute__((noinline)) bool run_thread(const Kernel& kernel, const uint3& index, Pass pass) {
  bool passes = false;
  Kernel of_thread(kernel);
  of_thread(index, blockIdx, blockDim, gridDim, pass, passes);
  return passes;
}

// A block. The engine asks for no block with a number of 2^20 or more; that the compiler knows how
// large these numbers can get shows it that an index does not wrap.
template <bool guarded, class Kernel>
__attribute__((noinline)) void run_block(const Kernel& captured) {
  const Kernel kernel(captured);  // a local variable: no store of a thread can change it
  const uint3 block{blockIdx.x & 0xfffff, blockIdx.y & 0xffff, blockIdx.z & 0xffff};
  const dim3 dim(blockDim.x & 2047, blockDim.y & 2047, blockDim.z & 127), grid = gridDim;
  // A copy for each thread: parameters are its own.
  const auto run = [&](const uint3& index, Pass pass) __attribute__((always_inline)) {
    bool passes = false;
    Kernel of_thread(kernel);
    of_thread(index, block, dim, grid, pass, passes);
    return passes;
  };
  for (unsigned z = 0; z < dim.z; ++z) {
    for (unsigned y = 0; y < dim.y; ++y) {
      unsigned end = dim.x;
      if (guarded) {
        unsigned count = 0;
        for (unsigned x = 0; x < dim.x; ++x) count += run({x, y, z}, Pass::guard_pass);
        if (count == 0) continue;
        if (count != dim.x) {
          while (!run_thread(captured, {end - 1, y, z}, Pass::guard_pass)) --end;
          if (end != count) {
            for (unsigned x = 0; x < end; ++x) run_thread(captured, {x, y, z}, Pass::thread_pass);
            continue;
          }
          end &= 2047;
        }
      }
      for (unsigned x = 0; x < end; ++x) run({x, y, z}, Pass::loop_pass);
    }
  }
}

// A copy of other arguments is more than its bytes: it is the program's to say when one is made.
template <class Kernel>
constexpr bool kIsPlain = std::is_trivially_copy_constructible<Kernel>::value&&
    std::is_trivially_destructible<Kernel>::value;

template <bool guarded, class Kernel>
inline __attribute__((always_inline)) void run_threads(Kernel kernel) {
  if constexpr (kIsPlain<Kernel>) {
    if (whole_block == 0) {
      run_thread(kernel, threadIdx, Pass::thread_pass);
    } else {
      whole_block = 0;
      run_block<guarded>(kernel);
    }
  } else {
    bool passes = false;
    kernel(threadIdx, blockIdx, blockDim, gridDim, Pass::thread_pass, passes);
  }
}

// For kernels with barriers that all threads surely reach. The lambda is called once, for all
// threads of the block or for one; from barrier to barrier it runs them in a loop, and what stands
// around the barriers once (cpu_device/rewrite/thread_phases.cpp has an example).

// The threads that one call runs.
struct PhaseThreads {
  bool whole;        // the block; else the one whose index is `first`
  uint3 first, end;  // behind the last in each direction
  unsigned long long barriers = 0;

  // What is added to threadIdx.x to number the threads from 0.
  __attribute__((always_inline)) ptrdiff_t before_row(unsigned y, unsigned z) const {
    return whole ? (static_cast<ptrdiff_t>(z) * end.y + y) * end.x
                 : -static_cast<ptrdiff_t>(first.x);
  }
  __attribute__((always_inline)) void barrier(CONVKIT_SIMT_SITE) {
    if (whole) {
      ++barriers;
    } else {
      convkit_simt_syncthreads(CONVKIT_SIMT_AT);
    }
  }
};

// A variable of each thread that outlives a barrier; a number or a pointer is copied to a local
// variable for each phase, so that the compiler can hold it in a register.
template <class T>
using LocalOf = typename std::conditional<std::is_scalar<T>::value, T, T&>::type;

template <class T>
class KeptForThreads {
 public:
  using Value = typename std::remove_cv<T>::type;

  __attribute__((always_inline)) explicit KeptForThreads(const PhaseThreads& threads)
      : values_(threads.whole ? static_cast<Value*>(convkit_simt_block_memory(
                                    sizeof(T) * threads.end.x * threads.end.y * threads.end.z))
                              : reinterpret_cast<Value*>(own_)) {}
  KeptForThreads(const KeptForThreads&) = delete;
  KeptForThreads& operator=(const KeptForThreads&) = delete;

  __attribute__((always_inline)) LocalOf<T> operator[](ptrdiff_t thread) const {
    return values_[thread];
  }
  // Where the variable is declared; it may have no value yet.
  __attribute__((always_inline)) void keep_value(ptrdiff_t thread, const T& value) const {
    if constexpr (std::is_scalar<T>::value) {
      values_[thread] = value;
    } else {
      __builtin_memcpy(static_cast<void*>(values_ + thread), &value, sizeof value);
    }
  }
  // Where it may have been changed: what is no number is used in place.
  __attribute__((always_inline)) void put_value(ptrdiff_t thread, const T& value) const {
    if constexpr (std::is_scalar<T>::value) values_[thread] = value;
  }

 private:
  alignas(T) unsigned char own_[sizeof(T)];
  Value* const values_;
};

template <class Kernel>
__attribute__((noinline, cold)) void run_phases_of_thread(Kernel& kernel) {
  const uint3 first = threadIdx;
  PhaseThreads threads{false, first, {first.x + 1, first.y + 1, first.z + 1}};
  kernel(threads, blockIdx, blockDim, gridDim);
}

template <class Kernel>
__attribute__((noinline)) void run_phases_of_block(const Kernel& captured) {
  Kernel kernel(captured);
  const uint3 block{blockIdx.x & 0xfffff, blockIdx.y & 0xffff, blockIdx.z & 0xffff};
  const dim3 dim(blockDim.x & 2047, blockDim.y & 2047, blockDim.z & 127), grid = gridDim;
  PhaseThreads threads{true, {0, 0, 0}, {dim.x, dim.y, dim.z}};
  kernel(threads, block, dim, grid);
  convkit_simt_barriers_passed(threads.barriers);
}

template <class Kernel>
inline __attribute__((always_inline)) void run_phases(Kernel kernel) {
  if (kIsPlain<Kernel> && whole_block != 0) {
    whole_block = kRunsPhases;
    run_phases_of_block(kernel);
  } else {
    run_phases_of_thread(kernel);
  }
}

}  // namespace convkit::simt

// Without optimisation a loop gains nothing, and debuggers show kernels as they are written.
#if defined(__OPTIMIZE__)
#if defined(__clang__)
#define CONVKIT_SIMT_MUTABLE __attribute__((always_inline)) mutable
#else
#define CONVKIT_SIMT_MUTABLE mutable __attribute__((always_inline))
#endif
#define CONVKIT_SIMT_INLINE __attribute__((always_inline))
#define CONVKIT_SIMT_THREADS_OF(guarded)                                                       \
  ::convkit::simt::run_threads<guarded>(                                                       \
      [=]([[maybe_unused]] const ::uint3& threadIdx, [[maybe_unused]] const ::uint3& blockIdx, \
          [[maybe_unused]] const ::dim3& blockDim, [[maybe_unused]] const ::dim3& gridDim,     \
          [[maybe_unused]] const ::convkit::simt::Pass convkit_pass,                           \
          [[maybe_unused]] bool& convkit_passes) CONVKIT_SIMT_MUTABLE {
#define CONVKIT_SIMT_THREADS CONVKIT_SIMT_THREADS_OF(false)
#define CONVKIT_SIMT_GUARDED_THREADS CONVKIT_SIMT_THREADS_OF(true)
#define CONVKIT_SIMT_END_THREADS \
  });
// In front of a condition under which a thread returns ...
#define CONVKIT_SIMT_FAILS convkit_pass != ::convkit::simt::Pass::loop_pass&&
// ... or goes on; and where a thread is that has passed all guards.
#define CONVKIT_SIMT_PASSES convkit_pass == ::convkit::simt::Pass::loop_pass ||
#define CONVKIT_SIMT_PASSED                                \
  if (convkit_pass == ::convkit::simt::Pass::guard_pass) { \
    convkit_passes = true;                                 \
    return;                                                \
  }
// The phases of a kernel with barriers. The compiler takes vectors for writes beyond a small array,
// in loops of which it does not know that they have few turns.
#if defined(__clang__)
#define CONVKIT_SIMT_IGNORE_VECTORS
#define CONVKIT_SIMT_IGNORE_MAYBE
#else
#define CONVKIT_SIMT_IGNORE_VECTORS                             \
  _Pragma("GCC diagnostic ignored \"-Wstringop-overflow\"")     \
      _Pragma("GCC diagnostic ignored \"-Wstringop-overread\"") \
          _Pragma("GCC diagnostic ignored \"-Warray-bounds\"")
#define CONVKIT_SIMT_IGNORE_MAYBE _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
#endif
#define CONVKIT_SIMT_PHASES                                                                        \
  _Pragma("GCC diagnostic push") CONVKIT_SIMT_IGNORE_VECTORS                                       \
  ::convkit::simt::run_phases([=]([[maybe_unused]] ::convkit::simt::PhaseThreads& convkit_threads, \
                                  [[maybe_unused]] const ::uint3& blockIdx,                        \
                                  [[maybe_unused]] const ::dim3& blockDim,                         \
                                  [[maybe_unused]] const ::dim3& gridDim) CONVKIT_SIMT_MUTABLE {
#define CONVKIT_SIMT_END_PHASES \
  });                           \
  _Pragma("GCC diagnostic pop")
#define CONVKIT_SIMT_BARRIER convkit_threads.barrier
// What the rewriter writes a second time: the compiler has warned of it where it stands first.
#define CONVKIT_SIMT_QUIETLY(...)                                                     \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-compare\"") \
      _Pragma("GCC diagnostic ignored \"-Wparentheses\"")                             \
          _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")                       \
              CONVKIT_SIMT_IGNORE_MAYBE __VA_ARGS__ _Pragma("GCC diagnostic pop")
// Before a phase: a variable that has one value for the block, and one that is kept for threads.
#define CONVKIT_SIMT_COPY(...) CONVKIT_SIMT_QUIETLY([[maybe_unused]] __VA_ARGS__)
#define CONVKIT_SIMT_KEEP(name, ...) \
  const ::convkit::simt::KeptForThreads<__VA_ARGS__> name(convkit_threads);
#define CONVKIT_SIMT_PHASE(...)                                                             \
  for (unsigned convkit_z = convkit_threads.first.z; convkit_z < convkit_threads.end.z;     \
       ++convkit_z) {                                                                       \
    for (unsigned convkit_y = convkit_threads.first.y; convkit_y < convkit_threads.end.y;   \
         ++convkit_y) {                                                                     \
      const ptrdiff_t convkit_row = convkit_threads.before_row(convkit_y, convkit_z);       \
      for (unsigned convkit_x = convkit_threads.first.x; convkit_x < convkit_threads.end.x; \
           ++convkit_x) {                                                                   \
        [[maybe_unused]] const ::uint3 threadIdx{convkit_x, convkit_y, convkit_z};          \
        [[maybe_unused]] const ptrdiff_t convkit_thread = convkit_row + convkit_x;          \
        CONVKIT_SIMT_QUIETLY(__VA_ARGS__)
#define CONVKIT_SIMT_END_PHASE(...) \
  CONVKIT_SIMT_QUIETLY(__VA_ARGS__) \
  }                                 \
  }                                 \
  }
// The last one, in which threads may return.
#define CONVKIT_SIMT_LAST_PHASE(...) CONVKIT_SIMT_PHASE(__VA_ARGS__)[&]() CONVKIT_SIMT_INLINE {
#define CONVKIT_SIMT_END_LAST_PHASE(...) \
  }                                      \
  ();                                    \
  CONVKIT_SIMT_END_PHASE(__VA_ARGS__)
#else
#define CONVKIT_SIMT_PHASES
#define CONVKIT_SIMT_END_PHASES
#define CONVKIT_SIMT_BARRIER __syncthreads
#define CONVKIT_SIMT_COPY(...)
#define CONVKIT_SIMT_KEEP(...)
#define CONVKIT_SIMT_PHASE(...)
#define CONVKIT_SIMT_END_PHASE(...)
#define CONVKIT_SIMT_LAST_PHASE(...)
#define CONVKIT_SIMT_END_LAST_PHASE(...)
#define CONVKIT_SIMT_THREADS
#define CONVKIT_SIMT_GUARDED_THREADS
#define CONVKIT_SIMT_END_THREADS
#define CONVKIT_SIMT_FAILS static_cast<bool>
#define CONVKIT_SIMT_PASSES static_cast<bool>
#define CONVKIT_SIMT_PASSED
#endif

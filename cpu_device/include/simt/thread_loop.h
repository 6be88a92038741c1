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

#include <type_traits>

#include "simt/builtin_variables.h"

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

template <bool guarded, class Kernel>
inline __attribute__((always_inline)) void run_threads(Kernel kernel) {
  // A copy of such an argument is more than its bytes: it is the program's to say when one is made.
  constexpr bool plain = std::is_trivially_copy_constructible<Kernel>::value &&
                         std::is_trivially_destructible<Kernel>::value;
  if constexpr (plain) {
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

}  // namespace convkit::simt

// Without optimisation a loop gains nothing, and debuggers show kernels as they are written.
#if defined(__OPTIMIZE__)
#if defined(__clang__)
#define CONVKIT_SIMT_MUTABLE __attribute__((always_inline)) mutable
#else
#define CONVKIT_SIMT_MUTABLE mutable __attribute__((always_inline))
#endif
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
#else
#define CONVKIT_SIMT_THREADS
#define CONVKIT_SIMT_GUARDED_THREADS
#define CONVKIT_SIMT_END_THREADS
#define CONVKIT_SIMT_FAILS static_cast<bool>
#define CONVKIT_SIMT_PASSES static_cast<bool>
#define CONVKIT_SIMT_PASSED
#endif

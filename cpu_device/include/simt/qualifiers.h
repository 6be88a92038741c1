// SPDX-License-Identifier: MIT
// CUDA's qualifiers as plain C++.
//
// One compilation serves host and device, so __CUDA_ARCH__ is never defined: code under
// `#ifdef __CUDA_ARCH__` is left out, and a __host__ __device__ function takes its host branch in
// kernels, too. The driver defines __CUDACC__.
#pragma once

#include "simt/attributes.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__

// Together, so that calls of the runtime know them for managed memory
// (convkit_simt_register_object).
#define __managed__ __attribute__((section("convkit_managed_memory")))

// For `__constant__` variables, by the rewriter: the profiler tells their section from others.
#ifdef CONVKIT_SIMT_CHECK
#define CONVKIT_SIMT_CONSTANT_MEMORY __attribute__((section("convkit_constant_memory")))
#else
#define CONVKIT_SIMT_CONSTANT_MEMORY
#endif

// A block runs on one thread of the operating system, which runs one block at a time: its shared
// memory is that thread's own. `used`: what a program reads and never writes is seen to be
// poisoned, instead of being folded to zero. (`extern __shared__` is rewritten before the compiler
// sees it.) `__constinit`: g++ gives arrays of classes such as half a guard, in shared memory too,
// that every thread reads; what needs one is no shared variable with nvcc either.
#if defined(__clang__)
#define __shared__ static __attribute__((used)) __thread
#else
#define __shared__ __constinit static __attribute__((used)) __thread
#endif

#define __forceinline__ inline __attribute__((always_inline))
// Nothing, because the standard library spells its own attribute __attribute__((__noinline__)).
#define __noinline__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __nv_pure__ __attribute__((pure))

// Promises about resources that a CPU does not ration.
#define __launch_bounds__(...)
#define __maxnreg__(count)

#define __cluster_dims__(...) \
  CONVKIT_SIMT_PRAGMA(        \
      GCC error "thread block clusters are not supported on the CPU device; use single blocks")
#define __block_size__(...) __cluster_dims__(__VA_ARGS__)

// nvcc's promise; clang has it.
#if !defined(__clang__)
#define __builtin_assume(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#endif

#define CUDART_CB
#define CUDARTAPI

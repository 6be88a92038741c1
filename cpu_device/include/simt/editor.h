// SPDX-License-Identifier: MIT
// What clangd reads before a .cu file (grader/work/editor_files.cpp puts it on its command line):
// the CPU device's headers in clang's own CUDA mode, which understands launches and `extern
// __shared__`. Nothing is compiled with this header; other compilers find nothing in it.
#pragma once

#if defined(__clang__) && defined(__CUDA__)

// All that a kernel may call is for the host and for the device. Of the C library the headers
// themselves: what C++ makes of them calls no function of the device.
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

// C++ headers are the host's: other headers of the library, which a file includes later, go on from
// them. So each one that a header of the device includes has to stand here.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#pragma clang force_cuda_host_device begin
#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"
#include "cuda_fp16.h"
#include "cuda_pipeline.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device end

// For g++ these are nothing; for clang they are what they say.
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))

// What clang makes of <<<...>>>; which of the two depends on the version of CUDA that it finds.
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                           cudaStream_t stream = nullptr);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                 cudaStream_t stream = nullptr);

#endif

// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Filters in constant memory, as many at a time as fit: what tasks 02.3 and 02.4 share.
#pragma once

#include "direct_conv.h"
#include "error_check.h"

namespace {

constexpr int kConstantFloats = 64 * 1024 / sizeof(float);  // all there is

// There is one array for all calls and streams. The order of copies and kernels decides what it
// holds when a kernel runs, so both are queued on the same stream. (Every file that includes this
// has its own array: each .cu is a module with its own 64 KiB.)
__constant__ float c_filters[kConstantFloats];

// Calls launch(first_map, maps) once for every part of the filters, which it then finds at the
// beginning of c_filters.
template <class Launch>
cudaError_t for_filters_in_parts(const float* d_w, const Conv2dShape& s, cudaStream_t stream,
                                 Launch launch) {
  const int filter = s.c * s.kh * s.kw;
  const int fitting = kConstantFloats / filter;
  for (int first = 0; first < s.m; first += fitting) {
    const int maps = s.m - first < fitting ? s.m - first : fitting;
    // On the stream: the copy waits for the kernel before it, which still reads the old filters,
    // and the kernel after it waits for the copy.
    CUDA_CHECK(cudaMemcpyToSymbolAsync(c_filters, d_w + int64_t(first) * filter,
                                       sizeof(float) * size_t(maps) * size_t(filter), 0,
                                       cudaMemcpyDeviceToDevice, stream));
    launch(first, maps);
    CUDA_CHECK(cudaGetLastError());
  }
  return cudaSuccess;
}

}  // namespace

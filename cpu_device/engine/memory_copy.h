// SPDX-License-Identifier: MIT
// The copy behind cudaMemcpy() and its forms, and the allocation behind cudaMallocArray(). Both are
// used in call(), and refuse in the name of `call`.
#pragma once

#include <cstddef>

#include "cpu_device/engine/memory.h"

namespace convkit::simt {

// A rectangle: `width` bytes of each of `height` rows.
struct RowsToCopy {
  void* to;
  size_t to_pitch;
  const void* from;
  size_t from_pitch;
  size_t width, height;
};

// Queues the copy as an operation of the stream, as cudaMemcpy2D() or cudaMemcpy2DAsync() does.
cudaError_t copy_rows(const char* call, const RowsToCopy& rows, cudaMemcpyKind kind,
                      bool asynchronous, cudaStream_t stream);

cudaError_t allocate_array_memory(const char* call, void** pointer, size_t bytes);

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// The copy behind cudaMemcpy() and its forms, and the allocation behind cudaMallocArray(). Both are
// used in call(), and refuse in the name of `call`.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/work.h"
#include "simt/runtime_devices.h"

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

// In check mode: whether a copy leaves an array of the host, which is then told and refused. Sizes
// in bytes from the pointers on; a pointer to the device's memory is none of this.
bool leaves_host_array(const char* call, void* to, size_t written, const void* from, size_t read);

// The same copies as one node of a graph, and a memset. They run in any launch, so the memory must
// be there then; what has been freed is a fault of the launch.
cudaError_t rows_work(const char* call, const std::vector<RowsToCopy>& rows, cudaMemcpyKind kind,
                      Work& work);
cudaError_t memset_work(const char* call, const cudaMemsetParams& parameters, Work& work);
// In api_memory_3d.cpp.
cudaError_t slices_work(const char* call, const cudaMemcpy3DParms* parameters, Work& work);

cudaError_t allocate_array_memory(const char* call, void** pointer, size_t bytes);

}  // namespace convkit::simt

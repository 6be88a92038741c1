// SPDX-License-Identifier: MIT
// Memory of three dimensions: slices of rows. A copy is one copy of two dimensions for each slice.
#include "cpu_device/engine/call.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

// Slices are `pitch * ysize` bytes apart.
unsigned char* slice(const cudaPitchedPtr& of, const cudaPos& from, size_t z) {
  return static_cast<unsigned char*>(of.ptr) + ((from.z + z) * of.ysize + from.y) * of.pitch +
         from.x;
}

cudaError_t copy_error(const char* name, const cudaMemcpy3DParms* p) {
  if (!p) return refuse(name, cudaErrorInvalidValue, "p is null");
  if (p->srcArray || p->dstArray) {
    return refuse(name, cudaErrorNotSupported,
                  "srcArray and dstArray must be null: there are no CUDA arrays");
  }
  if (is_empty(p->extent)) return cudaSuccess;
  for (const cudaPitchedPtr* side : {&p->srcPtr, &p->dstPtr}) {
    const bool source = side == &p->srcPtr;
    const char* argument = source ? "srcPtr" : "dstPtr";
    const cudaPos& at = source ? p->srcPos : p->dstPos;
    if (!side->ptr) return refuse(name, cudaErrorInvalidValue, said(argument, ".ptr is null"));
    if (at.x + p->extent.width > side->pitch) {
      return refuse(name, cudaErrorInvalidPitchValue,
                    said("extent.width is ", p->extent.width, " from byte ", at.x, "; ", argument,
                         ".pitch is ", side->pitch));
    }
    if (p->extent.depth > 1 && at.y + p->extent.height > side->ysize) {
      return refuse(name, cudaErrorInvalidValue,
                    said("extent.height is ", p->extent.height, " from row ", at.y, "; ", argument,
                         ".ysize is ", side->ysize));
    }
  }
  return cudaSuccess;
}

template <class Copy>
cudaError_t copy_slices(const char* name, const cudaMemcpy3DParms* p, const Copy& copy) {
  const cudaError_t wrong = call([=] { return copy_error(name, p); });
  if (wrong != cudaSuccess || is_empty(p->extent)) return wrong;
  for (size_t z = 0; z < p->extent.depth; ++z) {
    const cudaError_t error = copy(slice(p->dstPtr, p->dstPos, z), slice(p->srcPtr, p->srcPos, z));
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  const cudaError_t wrong = call([=] {
    if (pitched) return cudaSuccess;
    return refuse("cudaMalloc3D", cudaErrorInvalidValue, "pitchedDevPtr is null");
  });
  if (wrong != cudaSuccess) return wrong;
  void* pointer = nullptr;
  size_t pitch = 0;
  const cudaError_t error =
      convkit_simt_malloc_pitch(&pointer, &pitch, extent.width, extent.height * extent.depth);
  if (error == cudaSuccess) *pitched = {pointer, pitch, extent.width, extent.height};
  return error;
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pitched, value, extent, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  for (size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t error = cudaMemset2DAsync(slice(pitched, {0, 0, 0}, z), pitched.pitch, value,
                                                extent.width, extent.height, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return copy_slices("cudaMemcpy3D", p, [p](void* to, const void* from) {
    return cudaMemcpy2D(to, p->dstPtr.pitch, from, p->srcPtr.pitch, p->extent.width,
                        p->extent.height, p->kind);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy_slices("cudaMemcpy3DAsync", p, [p, stream](void* to, const void* from) {
    return cudaMemcpy2DAsync(to, p->dstPtr.pitch, from, p->srcPtr.pitch, p->extent.width,
                             p->extent.height, p->kind, stream);
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return call([=] {
    constexpr const char* kCall = "cudaHostGetFlags";
    if (!flags) return refuse(kCall, cudaErrorInvalidValue, "pFlags is null");
    const auto found = find_allocation(pointer);
    if (!found || found->freed || found->kind != MemoryKind::pinned) {
      return refuse(kCall, cudaErrorInvalidValue,
                    "pHost is not memory of cudaMallocHost or cudaHostRegister");
    }
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}
}

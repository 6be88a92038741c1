// SPDX-License-Identifier: MIT
// Memory of three dimensions, CUDA arrays among it: slices of rows. A copy is one copy of two
// dimensions for each slice.
#include "cpu_device/engine/call.h"
#include "cpu_device/engine/cuda_array.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/memory_copy.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

// One side of a copy: an array, or memory with a pitch. Slices are `pitch * ysize` bytes apart.
struct CopySide {
  const char* array_argument;
  const char* pointer_argument;
  cudaArray_t array;
  cudaPitchedPtr memory;
  cudaPos at;  // x in texels of an array, in bytes of memory

  size_t pitch() const { return array ? array->pitch : memory.pitch; }
  unsigned char* slice(size_t z) const {
    if (array) return array->at(at.x * array->texel_bytes, at.y, at.z + z);
    return static_cast<unsigned char*>(memory.ptr) +
           ((at.z + z) * memory.ysize + at.y) * memory.pitch + at.x;
  }
};

// Where an array takes part, the extent and both positions count texels.
size_t element_bytes(const cudaMemcpy3DParms& p) {
  const cudaArray_t array = p.srcArray ? p.srcArray : p.dstArray;
  return array ? array->texel_bytes : 1;
}
size_t width_bytes(const cudaMemcpy3DParms& p) {
  return p.extent.width * element_bytes(p);
}

cudaPos in_side(const cudaMemcpy3DParms& p, cudaArray_t array, cudaPos at) {
  if (!array) at.x *= element_bytes(p);
  return at;
}
CopySide source_of(const cudaMemcpy3DParms& p) {
  return {"srcArray", "srcPtr", p.srcArray, p.srcPtr, in_side(p, p.srcArray, p.srcPos)};
}
CopySide target_of(const cudaMemcpy3DParms& p) {
  return {"dstArray", "dstPtr", p.dstArray, p.dstPtr, in_side(p, p.dstArray, p.dstPos)};
}

cudaError_t array_side_error(const char* name, const CopySide& side, const cudaExtent& extent) {
  const cudaArray& array = *side.array;
  const auto ends_beyond = [](size_t begin, size_t count, size_t size) {
    return begin > size || count > size - begin;
  };
  if (!ends_beyond(side.at.x, extent.width, array.extent.width) &&
      !ends_beyond(side.at.y, extent.height, array.rows()) &&
      !ends_beyond(side.at.z, extent.depth, array.slices())) {
    return cudaSuccess;
  }
  return refuse(name, cudaErrorInvalidValue,
                said("it copies ", extent_text(extent), " from (", side.at.x, ", ", side.at.y, ", ",
                     side.at.z, ") on, and ", side.array_argument, " has ",
                     extent_text(array.extent), ": widths are in texels"));
}

cudaError_t memory_side_error(const char* name, const CopySide& side, size_t width,
                              const cudaExtent& extent) {
  const char* argument = side.pointer_argument;
  const cudaPitchedPtr& memory = side.memory;
  if (!memory.ptr) return refuse(name, cudaErrorInvalidValue, said(argument, ".ptr is null"));
  if (side.at.x + width > memory.pitch) {
    return refuse(name, cudaErrorInvalidPitchValue,
                  said("a row has ", width, " bytes from byte ", side.at.x, "; ", argument,
                       ".pitch is ", memory.pitch));
  }
  if (extent.depth > 1 && side.at.y + extent.height > memory.ysize) {
    return refuse(name, cudaErrorInvalidValue,
                  said("extent.height is ", extent.height, " from row ", side.at.y, "; ", argument,
                       ".ysize is ", memory.ysize));
  }
  return cudaSuccess;
}

// From the first byte to the last one.
size_t bytes_spanned(const CopySide& side, const cudaMemcpy3DParms& p) {
  const auto before_last_slice =
      static_cast<size_t>(side.slice(p.extent.depth - 1) - side.slice(0));
  return before_last_slice + (p.extent.height - 1) * side.pitch() + width_bytes(p);
}

cudaError_t copy_error(const char* name, const cudaMemcpy3DParms* p) {
  constexpr cudaError_t kBad = cudaErrorInvalidValue;
  if (!p) return refuse(name, kBad, "p is null");
  const CopySide sides[] = {source_of(*p), target_of(*p)};
  for (const CopySide& side : sides) {
    if (!side.array) continue;
    if (side.memory.ptr) {
      return refuse(name, kBad,
                    said(side.array_argument, " and ", side.pointer_argument,
                         " are both given; one of them must be null"));
    }
    const std::string fault = array_fault(side.array_argument, side.array);
    if (!fault.empty()) return refuse(name, kBad, fault);
  }
  if (p->srcArray && p->dstArray && p->srcArray->texel_bytes != p->dstArray->texel_bytes) {
    return refuse(name, kBad,
                  said("a texel of srcArray has ", p->srcArray->texel_bytes,
                       " bytes, and one of dstArray ", p->dstArray->texel_bytes));
  }
  if (is_empty(p->extent)) return cudaSuccess;
  for (const CopySide& side : sides) {
    const cudaError_t error = side.array
                                  ? array_side_error(name, side, p->extent)
                                  : memory_side_error(name, side, width_bytes(*p), p->extent);
    if (error != cudaSuccess) return error;
  }
  const auto& [from, to] = sides;
  return leaves_host_array(name, to.slice(0), bytes_spanned(to, *p), from.slice(0),
                           bytes_spanned(from, *p))
             ? kBad
             : cudaSuccess;
}

// An array is on the device, whatever the kind says of it.
cudaMemcpyKind corrected_kind(const cudaMemcpy3DParms& p) {
  if (p.kind < cudaMemcpyHostToHost || p.kind >= cudaMemcpyDefault) return p.kind;
  const bool to_device =
      p.dstArray || p.kind == cudaMemcpyHostToDevice || p.kind == cudaMemcpyDeviceToDevice;
  const bool from_device =
      p.srcArray || p.kind == cudaMemcpyDeviceToHost || p.kind == cudaMemcpyDeviceToDevice;
  if (to_device) return from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

std::vector<RowsToCopy> slices_of(const cudaMemcpy3DParms& p) {
  const CopySide from = source_of(p), to = target_of(p);
  std::vector<RowsToCopy> slices;
  for (size_t z = 0; z < p.extent.depth; ++z) {
    slices.push_back(
        {to.slice(z), to.pitch(), from.slice(z), from.pitch(), width_bytes(p), p.extent.height});
  }
  return slices;
}

cudaError_t copy_slices(const char* name, const cudaMemcpy3DParms* p, bool asynchronous,
                        cudaStream_t stream) {
  return call([=] {
    const cudaError_t wrong = copy_error(name, p);
    if (wrong != cudaSuccess || is_empty(p->extent)) return wrong;
    for (const RowsToCopy& rows : slices_of(*p)) {
      const cudaError_t error = copy_rows(name, rows, corrected_kind(*p), asynchronous, stream);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

template <class SetPlane>
cudaError_t set_slices(const cudaPitchedPtr& pitched, int value, const cudaExtent& extent,
                       const SetPlane& set_plane) {
  for (size_t z = 0; z < extent.depth; ++z) {
    auto* slice = static_cast<unsigned char*>(pitched.ptr) + z * pitched.ysize * pitched.pitch;
    const cudaError_t error = set_plane(slice, pitched.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t convkit::simt::slices_work(const char* name, const cudaMemcpy3DParms* p, Work& work) {
  const cudaError_t wrong = copy_error(name, p);
  if (wrong != cudaSuccess) return wrong;
  if (is_empty(p->extent)) return refuse(name, cudaErrorInvalidValue, "extent is empty");
  return rows_work(name, slices_of(*p), corrected_kind(*p), work);
}

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
  return set_slices(pitched, value, extent,
                    [](auto... arguments) { return cudaMemset2D(arguments...); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return set_slices(pitched, value, extent, [stream](auto... arguments) {
    return cudaMemset2DAsync(arguments..., stream);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return copy_slices("cudaMemcpy3D", p, false, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy_slices("cudaMemcpy3DAsync", p, true, stream);
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

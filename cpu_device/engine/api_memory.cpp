// SPDX-License-Identifier: MIT
// Allocation and copies of the CUDA runtime API.
#include <cstring>
#include <memory>
#include <vector>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

// How CUDA sees one side of a copy. Pageable host memory is whatever nobody allocated with CUDA.
enum class Side { device, host, pinned, either };

Side side_of(const void* pointer) {
  const auto found = find_allocation(pointer);
  if (!found) return in_device_range(pointer) ? Side::device : Side::host;
  switch (found->kind) {
    case MemoryKind::device:
    case MemoryKind::symbol:
      return Side::device;
    case MemoryKind::managed:
      return Side::either;
    case MemoryKind::pinned:
      return Side::pinned;
  }
  return Side::host;
}

bool fits(Side side, bool device) {
  return side == Side::either || (side == Side::device) == device;
}

// A rectangle of bytes; one row for the plain copies.
struct Copy {
  void* to;
  size_t to_pitch;
  const void* from;
  size_t from_pitch;
  size_t width, height;
  std::shared_ptr<void> site = {};  // of the call, for check mode

  void run() const {
    const Gate gate;
    if (check_hooks) {
      check_hooks->copied({to, to_pitch, from, from_pitch, width, height, 0}, site.get());
    }
    auto* out = static_cast<unsigned char*>(to);
    const auto* in = static_cast<const unsigned char*>(from);
    for (size_t row = 0; row < height; ++row) {
      std::memmove(out + row * to_pitch, in + row * from_pitch, width);
    }
  }

  size_t extent(size_t pitch) const { return height == 0 ? 0 : (height - 1) * pitch + width; }
};

// A copy may not leave the allocation it begins in.
bool inside_allocation(const void* pointer, size_t bytes) {
  if (bytes == 0) return true;
  const auto found = find_allocation(pointer);
  if (!found) return !in_device_range(pointer);
  if (found->freed) return false;
  const auto offset =
      static_cast<size_t>(static_cast<const unsigned char*>(pointer) - found->begin);
  return found->kind == MemoryKind::pinned || offset + bytes <= found->bytes;
}

cudaError_t direction_error(const Copy& copy, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (copy.width == 0 || copy.height == 0) return cudaSuccess;
  if (!copy.to || !copy.from) return cudaErrorInvalidValue;
  if (kind != cudaMemcpyDefault) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!fits(side_of(copy.to), to_device) || !fits(side_of(copy.from), from_device)) {
      return cudaErrorInvalidValue;
    }
  }
  if (!inside_allocation(copy.to, copy.extent(copy.to_pitch)) ||
      !inside_allocation(copy.from, copy.extent(copy.from_pitch))) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t copy_now_or_later(const Copy& copy, cudaMemcpyKind kind, bool asynchronous,
                              cudaStream_t handle) {
  CUstream_st* stream = queue().resolve(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = direction_error(copy, kind);
  if (error != cudaSuccess || copy.width == 0 || copy.height == 0) return error;
  const Side from = side_of(copy.from), to = side_of(copy.to);
  if (asynchronous && from == Side::host && to != Side::host) {
    // From pageable memory: CUDA has read it when the call returns.
    auto staged = std::make_shared<std::vector<unsigned char>>(copy.width * copy.height);
    const Copy in{staged->data(), copy.width, copy.from, copy.from_pitch, copy.width, copy.height};
    in.run();
    const Copy out{copy.to, copy.to_pitch, staged->data(), copy.width, copy.width, copy.height};
    queue().push(stream, [out, staged] { out.run(); });
    return cudaSuccess;
  }
  Copy later = copy;
  if (check_hooks && from == Side::device) later.site = check_hooks->call_site();
  queue().push(stream, [later] { later.run(); });
  // Into pageable memory: the call returns when the copy is done.
  const bool blocks = !asynchronous || to == Side::host;
  // A blocking copy within the device does not wait for the host's sake.
  if (blocks) queue().drain(stream);
  return cudaSuccess;
}

cudaError_t set_memory(void* pointer, size_t pitch, int value, size_t width, size_t height,
                       cudaStream_t handle) {
  CUstream_st* stream = queue().resolve(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (width == 0 || height == 0) return cudaSuccess;
  const size_t extent = (height - 1) * pitch + width;
  if (!pointer || side_of(pointer) == Side::host || !inside_allocation(pointer, extent)) {
    return cudaErrorInvalidValue;
  }
  queue().push(stream, [=] {
    const Gate gate;
    if (check_hooks) {
      check_hooks->copied({pointer, pitch, nullptr, 0, width, height, value}, nullptr);
    }
    auto* row = static_cast<unsigned char*>(pointer);
    for (size_t i = 0; i < height; ++i, row += pitch) std::memset(row, value, width);
  });
  return cudaSuccess;
}

// Memory that streams have yet to free counts as free, as in CUDA's pools.
cudaError_t allocate_device(void** pointer, size_t bytes, MemoryKind kind) {
  const cudaError_t error = allocate(pointer, bytes, kind);
  if (error != cudaErrorMemoryAllocation || queue().pending() == 0) return error;
  queue().run_unjoined();
  return allocate(pointer, bytes, kind);
}

}  // namespace

extern "C" {

cudaError_t convkit_simt_malloc(void** d_pointer, size_t bytes) {
  return call([=] {
    if (!d_pointer) return cudaErrorInvalidValue;
    *d_pointer = nullptr;
    return bytes == 0 ? cudaSuccess : allocate_device(d_pointer, bytes, MemoryKind::device);
  });
}

cudaError_t convkit_simt_malloc_pitch(void** d_pointer, size_t* pitch, size_t width_bytes,
                                      size_t height) {
  constexpr size_t kPitch = 512;
  if (!pitch) return noted(cudaErrorInvalidValue);
  *pitch = (width_bytes + kPitch - 1) / kPitch * kPitch;
  if (height != 0 && *pitch > ~size_t{0} / height) return noted(cudaErrorMemoryAllocation);
  return convkit_simt_malloc(d_pointer, *pitch * height);
}

cudaError_t convkit_simt_malloc_managed(void** pointer, size_t bytes, unsigned int flags) {
  return call([=] {
    if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
      return cudaErrorInvalidValue;
    }
    return allocate_device(pointer, bytes, MemoryKind::managed);
  });
}

cudaError_t convkit_simt_malloc_host(void** pointer, size_t bytes, unsigned int) {
  return call([=] {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    return bytes == 0 ? cudaSuccess : allocate(pointer, bytes, MemoryKind::pinned);
  });
}

cudaError_t convkit_simt_host_get_device_pointer(void** d_pointer, void* pointer, unsigned int) {
  return call([=] {
    const auto found = find_allocation(pointer);
    if (!d_pointer || !found || found->kind != MemoryKind::pinned) return cudaErrorInvalidValue;
    *d_pointer = pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* d_pointer) {
  return call([=] {
    if (!d_pointer) return cudaSuccess;
    queue().drain_all();  // cudaFree waits for the device
    return release(d_pointer, MemoryKind::device);
  });
}

cudaError_t cudaFreeAsync(void* d_pointer, cudaStream_t handle) {
  return call([=] {
    CUstream_st* stream = queue().resolve(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    const auto allocation = find_allocation(d_pointer);
    if (!allocation) return cudaErrorInvalidValue;
    const bool right = allocation->begin == d_pointer && allocation->kind != MemoryKind::pinned;
    if (check_hooks && right) check_hooks->will_be_freed(*allocation);
    queue().push_upkeep(stream, [=] { release(d_pointer, MemoryKind::device); });
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call([=] {
    if (!pointer) return cudaSuccess;
    queue().drain_all();
    return release(pointer, MemoryKind::pinned);
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  return call([=] {
    return pointer && bytes != 0 ? register_host(pointer, bytes) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call([=] {
    queue().drain_all();
    return unregister_host(pointer);
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call([=] {
    return copy_now_or_later({to, bytes, from, bytes, bytes, 1}, kind, false, nullptr);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call([=] {
    return copy_now_or_later({to, bytes, from, bytes, bytes, 1}, kind, true, stream);
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width_bytes, size_t height, cudaMemcpyKind kind) {
  return call([=] {
    if (width_bytes > to_pitch || width_bytes > from_pitch) return cudaErrorInvalidPitchValue;
    return copy_now_or_later({to, to_pitch, from, from_pitch, width_bytes, height}, kind, false,
                             nullptr);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width_bytes, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return call([=] {
    if (width_bytes > to_pitch || width_bytes > from_pitch) return cudaErrorInvalidPitchValue;
    return copy_now_or_later({to, to_pitch, from, from_pitch, width_bytes, height}, kind, true,
                             stream);
  });
}

cudaError_t cudaMemset(void* d_pointer, int value, size_t bytes) {
  return call([=] { return set_memory(d_pointer, bytes, value, bytes, 1, nullptr); });
}
cudaError_t cudaMemsetAsync(void* d_pointer, int value, size_t bytes, cudaStream_t stream) {
  return call([=] { return set_memory(d_pointer, bytes, value, bytes, 1, stream); });
}
cudaError_t cudaMemset2D(void* d_pointer, size_t pitch, int value, size_t width_bytes,
                         size_t height) {
  return call([=] { return set_memory(d_pointer, pitch, value, width_bytes, height, nullptr); });
}
cudaError_t cudaMemset2DAsync(void* d_pointer, size_t pitch, int value, size_t width_bytes,
                              size_t height, cudaStream_t stream) {
  return call([=] { return set_memory(d_pointer, pitch, value, width_bytes, height, stream); });
}

cudaError_t convkit_simt_copy_symbol(void* symbol, void* other, size_t symbol_bytes, size_t bytes,
                                     size_t offset, int to_symbol, cudaMemcpyKind kind,
                                     int asynchronous, cudaStream_t stream) {
  return call([=] {
    if (offset > symbol_bytes || bytes > symbol_bytes - offset) return cudaErrorInvalidValue;
    register_symbol(symbol, symbol_bytes);
    void* place = static_cast<unsigned char*>(symbol) + offset;
    const Copy copy = to_symbol ? Copy{place, bytes, other, bytes, bytes, 1}
                                : Copy{other, bytes, place, bytes, bytes, 1};
    return copy_now_or_later(copy, kind, asynchronous != 0, stream);
  });
}

cudaError_t convkit_simt_symbol_address(void** d_pointer, void* symbol, size_t symbol_bytes) {
  return call([=] {
    if (!d_pointer) return cudaErrorInvalidValue;
    register_symbol(symbol, symbol_bytes);
    *d_pointer = symbol;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call([=] {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    memory_info(*free_bytes, *total_bytes);
    return cudaSuccess;
  });
}

cudaError_t convkit_simt_hint(const void* pointer, size_t bytes) {
  return call([=] {
    const auto found = find_allocation(pointer);
    if (!found || found->freed || found->kind != MemoryKind::managed || bytes == 0) {
      return cudaErrorInvalidValue;
    }
    const auto offset =
        static_cast<const unsigned char*>(pointer) - static_cast<unsigned char*>(found->begin);
    return bytes <= found->bytes - static_cast<size_t>(offset) ? cudaSuccess
                                                               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([=] {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, const_cast<void*>(pointer)};
    const auto found = find_allocation(pointer);
    if (!found || found->freed) return cudaSuccess;
    attributes->device = 0;
    attributes->devicePointer = const_cast<void*>(pointer);
    switch (found->kind) {
      case MemoryKind::device:
      case MemoryKind::symbol:
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = nullptr;
        break;
      case MemoryKind::managed:
        attributes->type = cudaMemoryTypeManaged;
        break;
      case MemoryKind::pinned:
        attributes->type = cudaMemoryTypeHost;
        break;
    }
    return cudaSuccess;
  });
}
}

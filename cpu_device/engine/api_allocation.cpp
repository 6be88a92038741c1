// SPDX-License-Identifier: MIT
// Allocation of the CUDA runtime API: device, managed and pinned memory, and pools.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/cuda_array.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

// Memory that streams have yet to free counts as free, as in CUDA's pools.
template <class Allocate>
cudaError_t allocate_or_run(const char* call, size_t bytes, const Allocate& attempt) {
  if (fails_on_purpose(CONVKIT_SIMT_ALLOCATION)) {
    return refuse(call, cudaErrorMemoryAllocation, kFailsOnPurpose);
  }
  cudaError_t error = attempt();
  if (error == cudaErrorMemoryAllocation && queue().pending() != 0) {
    queue().run_unjoined();
    error = attempt();
  }
  if (error != cudaErrorMemoryAllocation) return error;
  size_t free_bytes = 0, total_bytes = 0;
  memory_info(free_bytes, total_bytes);
  return refuse(
      call, error,
      said("it asks for ", bytes, " bytes; of ", total_bytes, ", ", free_bytes, " are free"));
}

cudaError_t allocate_device(const char* call, void** pointer, size_t bytes, MemoryKind kind) {
  return allocate_or_run(call, bytes, [=] { return allocate(pointer, bytes, kind); });
}

// A GPU makes a node of a graph of such a call.
cudaError_t refuse_memory_node(const char* call, CUstream_st* stream) {
  const cudaError_t error = refuse_in_capture(call, stream);
  if (error != cudaSuccess || !stream->capture) return error;
  invalidate(*stream->capture);
  return refuse(call, cudaErrorStreamCaptureUnsupported,
                "the stream is being captured, and graphs cannot allocate or free memory on the "
                "CPU device; allocate it before the capture");
}

// Why memory cannot be freed with this call.
std::string unfreed_text(const char* argument, const void* pointer, bool pinned) {
  if (is_array(pointer)) return said(argument, " is a CUDA array, which cudaFreeArray() frees");
  const auto found = find_allocation(pointer);
  if (!found) return said(argument, " is memory that CUDA did not allocate");
  const std::string place = said(argument, " is ", describe_address(pointer));
  if (found->freed) return place + " already";
  if (found->begin != pointer) return place + ", which is not its beginning";
  return place + (pinned ? ", which is not of cudaMallocHost" : ", which is not of cudaMalloc");
}

}  // namespace

// Memory lies where all other does; a pool counts what it has given, and answers as a GPU's does.
struct CUmemPoolHandle_st {
  uint64_t used = 0, used_high = 0;
  uint64_t reserved = 0, reserved_high = 0;  // in steps of kStep
  uint64_t threshold = 0;
  int reuse[3] = {1, 1, 1};
  bool is_default = false;

  static uint64_t in_steps(uint64_t bytes) {
    constexpr uint64_t kStep = 32 << 20;
    return (bytes + kStep - 1) / kStep * kStep;
  }
  void keep(uint64_t bytes) { reserved = std::max(in_steps(used), std::min(reserved, bytes)); }
};

namespace {

using Pool = CUmemPoolHandle_st;

constexpr const char* kNoPool = "memPool is no pool";

struct Pools {
  Pool of_device{.is_default = true};
  Pool* current = &of_device;
  std::map<Pool*, std::unique_ptr<Pool>> made;
  std::map<void*, std::pair<Pool*, uint64_t>> given;  // and how many bytes
};

// With the queue locked.
Pools& pools() {
  static auto* const all = new Pools;
  return *all;
}

bool is_pool(Pool* pool) {
  return pool == &pools().of_device || pools().made.count(pool) != 0;
}

void pool_gives(Pool* pool, void* memory, uint64_t bytes) {
  if (!pool) pool = pools().current;
  pools().given[memory] = {pool, bytes};
  pool->used += bytes;
  pool->used_high = std::max(pool->used_high, pool->used);
  pool->reserved = std::max(pool->reserved, Pool::in_steps(pool->used));
  pool->reserved_high = std::max(pool->reserved_high, pool->reserved);
}

void pool_takes_back(void* memory) {
  const auto found = pools().given.find(memory);
  if (found == pools().given.end()) return;
  const auto [pool, bytes] = found->second;
  pools().given.erase(found);
  if (!is_pool(pool)) return;  // which was destroyed meanwhile
  pool->used -= bytes;
  pool->keep(pool->threshold);
}

cudaError_t no_device(const char* call, int device) {
  return refuse(call, cudaErrorInvalidDevice, said("device is ", device));
}
bool has_device(int device) {
  int count = 0;
  cudaGetDeviceCount(&count);
  return device >= 0 && device < count;
}

// use(pool, value) of an attribute that is there.
template <class Use>
cudaError_t with_attribute(const char* call, Pool* pool, cudaMemPoolAttr attribute,
                           const void* value, const Use& use) {
  constexpr cudaError_t kBad = cudaErrorInvalidValue;
  if (!is_pool(pool)) return refuse(call, kBad, kNoPool);
  if (!value) return refuse(call, kBad, "value is null");
  if (attribute < 1 || attribute > 8) {
    return refuse(call, kBad, said("attr is ", static_cast<int>(attribute)));
  }
  return use();
}

}  // namespace

namespace convkit::simt {

cudaError_t allocate_array_memory(const char* call, void** pointer, size_t bytes) {
  return allocate_or_run(call, bytes, [=] { return allocate_array(pointer, bytes); });
}

}  // namespace convkit::simt

extern "C" {

cudaError_t convkit_simt_malloc(void** d_pointer, size_t bytes) {
  if (calling_block() && d_pointer) return allocate_in_kernel(d_pointer, bytes);
  return uncaptured_call("cudaMalloc", [=] {
    if (!d_pointer) return refuse("cudaMalloc", cudaErrorInvalidValue, "devPtr is null");
    *d_pointer = nullptr;
    return bytes == 0 ? cudaSuccess
                      : allocate_device("cudaMalloc", d_pointer, bytes, MemoryKind::device);
  });
}

// Graphs cannot allocate memory here.
cudaError_t convkit_simt_malloc_async(void** d_pointer, size_t bytes, cudaMemPool_t pool,
                                      cudaStream_t handle) {
  return call([=] {
    constexpr const char* kCall = "cudaMallocAsync";
    CUstream_st* stream = queue().resolve(handle);
    if (!stream) return refuse_stream(kCall);
    const cudaError_t error = refuse_memory_node(kCall, stream);
    if (error != cudaSuccess) return error;
    if (!d_pointer) return refuse(kCall, cudaErrorInvalidValue, "devPtr is null");
    *d_pointer = nullptr;
    if (pool && !is_pool(pool)) return refuse(kCall, cudaErrorInvalidValue, kNoPool);
    if (bytes == 0) return cudaSuccess;
    const cudaError_t allocated = allocate_device(kCall, d_pointer, bytes, MemoryKind::device);
    if (allocated == cudaSuccess) pool_gives(pool, *d_pointer, bytes);
    return allocated;
  });
}

cudaError_t convkit_simt_malloc_pitch(void** d_pointer, size_t* pitch, size_t width_bytes,
                                      size_t height) {
  constexpr size_t kPitch = 512;
  return uncaptured_call("cudaMallocPitch", [=] {
    constexpr const char* kCall = "cudaMallocPitch";
    if (!d_pointer) return refuse(kCall, cudaErrorInvalidValue, "devPtr is null");
    if (!pitch) return refuse(kCall, cudaErrorInvalidValue, "pitch is null");
    *d_pointer = nullptr;
    *pitch = (width_bytes + kPitch - 1) / kPitch * kPitch;
    if (height != 0 && *pitch > ~size_t{0} / height) {
      return refuse(kCall, cudaErrorMemoryAllocation,
                    said("it asks for ", height, " rows of ", *pitch,
                         " bytes, which is more than "
                         "any memory has"));
    }
    const size_t bytes = *pitch * height;
    return bytes == 0 ? cudaSuccess : allocate_device(kCall, d_pointer, bytes, MemoryKind::device);
  });
}

cudaError_t convkit_simt_malloc_managed(void** pointer, size_t bytes, unsigned int flags) {
  return uncaptured_call("cudaMallocManaged", [=] {
    constexpr const char* kCall = "cudaMallocManaged";
    constexpr cudaError_t kBad = cudaErrorInvalidValue;
    if (!pointer) return refuse(kCall, kBad, "devPtr is null");
    if (bytes == 0) return refuse(kCall, kBad, "size is 0; it must be at least 1");
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
      return refuse(
          kCall, kBad,
          said("flags is ", flags, "; it must be cudaMemAttachGlobal or cudaMemAttachHost"));
    }
    return allocate_device(kCall, pointer, bytes, MemoryKind::managed);
  });
}

cudaError_t convkit_simt_malloc_host(void** pointer, size_t bytes, unsigned int) {
  return uncaptured_call("cudaMallocHost", [=] {
    constexpr const char* kCall = "cudaMallocHost";
    if (!pointer) return refuse(kCall, cudaErrorInvalidValue, "ptr is null");
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const cudaError_t error = allocate(pointer, bytes, MemoryKind::pinned);
    if (error == cudaSuccess) return error;
    return refuse(kCall, error,
                  said("it asks for ", bytes, " bytes, which the host does not have"));
  });
}

cudaError_t convkit_simt_host_get_device_pointer(void** d_pointer, void* pointer, unsigned int) {
  return call([=] {
    constexpr const char* kCall = "cudaHostGetDevicePointer";
    const auto found = find_allocation(pointer);
    if (!d_pointer) return refuse(kCall, cudaErrorInvalidValue, "pDevice is null");
    if (!found || found->kind != MemoryKind::pinned) {
      return refuse(
          kCall, cudaErrorInvalidValue,
          side_text("pHost", pointer) + ", is not memory of cudaMallocHost or cudaHostRegister");
    }
    *d_pointer = pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* d_pointer) {
  if (calling_block()) return free_in_kernel(d_pointer);
  return uncaptured_call("cudaFree", [=] {
    if (!d_pointer) return cudaSuccess;
    queue().drain_all();  // cudaFree waits for the device
    const std::string why = unfreed_text("devPtr", d_pointer, false);
    const cudaError_t error = release(d_pointer, MemoryKind::device);
    if (error == cudaSuccess) pool_takes_back(d_pointer);
    return error == cudaSuccess ? error : refuse("cudaFree", error, why);
  });
}

cudaError_t cudaFreeAsync(void* d_pointer, cudaStream_t handle) {
  return call([=] {
    CUstream_st* stream = queue().resolve(handle);
    if (!stream) return refuse_stream("cudaFreeAsync");
    const cudaError_t error = refuse_memory_node("cudaFreeAsync", stream);
    if (error != cudaSuccess) return error;
    const auto allocation = find_allocation(d_pointer);
    if (!allocation) {
      return refuse("cudaFreeAsync", cudaErrorInvalidValue,
                    unfreed_text("devPtr", d_pointer, false));
    }
    const bool right = allocation->begin == d_pointer && allocation->kind != MemoryKind::pinned;
    if (check_hooks && right) check_hooks->will_be_freed(*allocation);
    queue().push_upkeep(
        stream,
        [=] {
          if (release(d_pointer, MemoryKind::device) == cudaSuccess) pool_takes_back(d_pointer);
        },
        task_of_call("cudaFreeAsync"));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceGetDefaultMemPool";
    if (!pool) return refuse(kCall, cudaErrorInvalidValue, "memPool is null");
    if (!has_device(device)) return no_device(kCall, device);
    *pool = &pools().of_device;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceGetMemPool";
    if (!pool) return refuse(kCall, cudaErrorInvalidValue, "memPool is null");
    if (!has_device(device)) return no_device(kCall, device);
    *pool = pools().current;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceSetMemPool";
    if (!has_device(device)) return no_device(kCall, device);
    if (!is_pool(pool)) return refuse(kCall, cudaErrorInvalidValue, kNoPool);
    pools().current = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([=] {
    constexpr const char* kCall = "cudaMemPoolCreate";
    constexpr cudaError_t kBad = cudaErrorInvalidValue;
    if (!pool) return refuse(kCall, kBad, "memPool is null");
    if (!properties) return refuse(kCall, kBad, "poolProps is null");
    if (properties->allocType != cudaMemAllocationTypePinned) {
      return refuse(kCall, kBad, "allocType must be cudaMemAllocationTypePinned");
    }
    if (properties->handleTypes != cudaMemHandleTypeNone) {
      return refuse(kCall, cudaErrorNotSupported,
                    "handleTypes must be cudaMemHandleTypeNone: no memory is shared with other "
                    "processes");
    }
    if (properties->location.type != cudaMemLocationTypeDevice) {
      return refuse(kCall, cudaErrorNotSupported, "its location must be a device");
    }
    if (!has_device(properties->location.id)) return no_device(kCall, properties->location.id);
    auto made = std::make_unique<Pool>();
    *pool = made.get();
    pools().made[*pool] = std::move(made);
    return cudaSuccess;
  });
}
// What the pool has given stays until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([=] {
    constexpr const char* kCall = "cudaMemPoolDestroy";
    if (!is_pool(pool)) return refuse(kCall, cudaErrorInvalidValue, kNoPool);
    if (pool->is_default) {
      return refuse(kCall, cudaErrorInvalidValue, "the device's default pool cannot be destroyed");
    }
    if (pools().current == pool) pools().current = &pools().of_device;
    pools().made.erase(pool);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep) {
  return call([=] {
    if (!is_pool(pool)) return refuse("cudaMemPoolTrimTo", cudaErrorInvalidValue, kNoPool);
    pool->keep(bytes_to_keep);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([=] {
    constexpr const char* kCall = "cudaMemPoolSetAttribute";
    return with_attribute(kCall, pool, attribute, value, [=] {
      if (attribute < cudaMemPoolAttrReleaseThreshold) {
        pool->reuse[attribute - 1] = *static_cast<int*>(value);
        return cudaSuccess;
      }
      const uint64_t number = *static_cast<uint64_t*>(value);
      if (attribute == cudaMemPoolAttrReleaseThreshold) {
        pool->threshold = number;
        return cudaSuccess;
      }
      const bool high =
          attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
      if (!high || number != 0) {
        return refuse(kCall, cudaErrorInvalidValue,
                      "only the high marks can be set, and only to 0");
      }
      if (attribute == cudaMemPoolAttrUsedMemHigh) {
        pool->used_high = pool->used;
      } else {
        pool->reserved_high = pool->reserved;
      }
      return cudaSuccess;
    });
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([=] {
    return with_attribute("cudaMemPoolGetAttribute", pool, attribute, value, [=] {
      if (attribute < cudaMemPoolAttrReleaseThreshold) {
        *static_cast<int*>(value) = pool->reuse[attribute - 1];
        return cudaSuccess;
      }
      *static_cast<uint64_t*>(value) =
          attribute == cudaMemPoolAttrReleaseThreshold     ? pool->threshold
          : attribute == cudaMemPoolAttrReservedMemCurrent ? pool->reserved
          : attribute == cudaMemPoolAttrReservedMemHigh    ? pool->reserved_high
          : attribute == cudaMemPoolAttrUsedMemCurrent     ? pool->used
                                                           : pool->used_high;
      return cudaSuccess;
    });
  });
}

// All devices are one, and reach all memory.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* accesses,
                                 size_t count) {
  return call([=] {
    constexpr const char* kCall = "cudaMemPoolSetAccess";
    if (!is_pool(pool)) return refuse(kCall, cudaErrorInvalidValue, kNoPool);
    if (count != 0 && !accesses) return refuse(kCall, cudaErrorInvalidValue, "descList is null");
    for (size_t i = 0; i < count; ++i) {
      if (!has_device(accesses[i].location.id)) return no_device(kCall, accesses[i].location.id);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return call([=] {
    constexpr const char* kCall = "cudaMemPoolGetAccess";
    if (!is_pool(pool)) return refuse(kCall, cudaErrorInvalidValue, kNoPool);
    if (!flags || !location) return refuse(kCall, cudaErrorInvalidValue, "a pointer is null");
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return uncaptured_call("cudaFreeHost", [=] {
    if (!pointer) return cudaSuccess;
    queue().drain_all();
    const std::string why = unfreed_text("ptr", pointer, true);
    const cudaError_t error = release(pointer, MemoryKind::pinned);
    return error == cudaSuccess ? error : refuse("cudaFreeHost", error, why);
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  return uncaptured_call("cudaHostRegister", [=] {
    constexpr const char* kCall = "cudaHostRegister";
    if (!pointer) return refuse(kCall, cudaErrorInvalidValue, "ptr is null");
    if (bytes == 0) {
      return refuse(kCall, cudaErrorInvalidValue, "size is 0; it must be at least 1");
    }
    const cudaError_t error = register_host(pointer, bytes);
    if (error == cudaSuccess) return error;
    return refuse(kCall, error,
                  error == cudaErrorHostMemoryAlreadyRegistered
                      ? side_text("ptr", pointer) + ", is registered already"
                      : side_text("ptr", pointer) + ", cannot be registered");
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return uncaptured_call("cudaHostUnregister", [=] {
    queue().drain_all();
    const cudaError_t error = unregister_host(pointer);
    if (error == cudaSuccess) return error;
    return refuse("cudaHostUnregister", error,
                  side_text("ptr", pointer) + ", is not the beginning of registered memory");
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call([=] {
    if (!free_bytes || !total_bytes) {
      return refuse("cudaMemGetInfo", cudaErrorInvalidValue,
                    free_bytes ? "total is null" : "free is null");
    }
    memory_info(*free_bytes, *total_bytes);
    return cudaSuccess;
  });
}

}  // extern "C"

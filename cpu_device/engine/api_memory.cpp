// SPDX-License-Identifier: MIT
// Allocation and copies of the CUDA runtime API.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/cuda_array.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/library_call.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/memory_copy.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

cudaError_t refuse_pitch(const char* call, size_t width, size_t to_pitch, size_t from_pitch) {
  const bool to = width > to_pitch;
  return refuse(call, cudaErrorInvalidPitchValue,
                said("width is ", width, ", which is more than ", to ? "dpitch, " : "spitch, ",
                     to ? to_pitch : from_pitch));
}

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

// Pinned memory has an address on both sides: an H200 takes it for either.
bool fits(Side side, bool device) {
  if (side == Side::either || side == Side::pinned) return true;
  return (side == Side::device) == device;
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

// "dst, byte 0 of `y` (40 bytes)", or where there is no allocation, "dst, host memory".
std::string side_text(const char* argument, const void* pointer) {
  const std::string place = describe_address(pointer);
  if (!place.empty()) return said(argument, ", ", place);
  return said(argument,
              in_device_range(pointer) ? ", device memory that is not allocated" : ", host memory");
}

// "reads 48 bytes from src, byte 0 of `x` (40 bytes), where there are 40": what leaves its
// allocation.
std::string overrun_text(const char* what, size_t bytes, const char* argument,
                         const void* pointer) {
  std::string text = said(what, bytes, " bytes, and ", side_text(argument, pointer));
  const auto found = find_allocation(pointer);
  if (!found || found->freed) return text;
  const NamedPart part = named_part(*found);
  const auto* at = static_cast<const unsigned char*>(pointer);
  const auto* end = part.begin + part.bytes;
  if (at < part.begin || at >= end) return text;
  text += said(", has ", end - at, " from there on");
  const auto offset = static_cast<size_t>(at - part.begin);
  const bool is_last_part = offset > 0 && offset % bytes == 0;
  if (is_last_part)
    text += said(": after ", offset / bytes, " of that length the last part is shorter");
  return text;
}

const char* kind_text(cudaMemcpyKind kind) {
  constexpr const char* kTexts[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                    "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  return kTexts[kind];
}

cudaError_t direction_error(const char* call, const Copy& copy, cudaMemcpyKind kind) {
  constexpr cudaError_t kBad = cudaErrorInvalidValue;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return refuse(call, cudaErrorInvalidMemcpyDirection,
                  said("kind is ", static_cast<int>(kind), "; it must be a cudaMemcpyKind"));
  }
  if (copy.width == 0 || copy.height == 0) return cudaSuccess;
  if (!copy.to || !copy.from) return refuse(call, kBad, copy.to ? "src is null" : "dst is null");
  for (const void* pointer : {static_cast<const void*>(copy.to), copy.from}) {
    if (!is_array(pointer)) continue;
    return refuse(
        call, kBad,
        said(pointer == copy.to ? "dst" : "src", " is a CUDA array; copy with cudaMemcpy2D",
             pointer == copy.to ? "ToArray()" : "FromArray()"));
  }
  if (kind != cudaMemcpyDefault) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const auto wrong_side = [&](const char* argument, const void* pointer, bool device) {
      return refuse(call, kBad,
                    said("kind is ", kind_text(kind), ", and ", side_text(argument, pointer),
                         ", is not ", device ? "device" : "host", " memory"));
    };
    if (!fits(side_of(copy.to), to_device)) return wrong_side("dst", copy.to, to_device);
    if (!fits(side_of(copy.from), from_device)) return wrong_side("src", copy.from, from_device);
  }
  const size_t written = copy.extent(copy.to_pitch), read = copy.extent(copy.from_pitch);
  if (!inside_allocation(copy.to, written)) {
    return refuse(call, kBad, overrun_text("it writes ", written, "dst", copy.to));
  }
  if (!inside_allocation(copy.from, read)) {
    return refuse(call, kBad, overrun_text("it reads ", read, "src", copy.from));
  }
  return cudaSuccess;
}

// Whether the memory of a graph's node is there when the node runs: it may have been freed since.
bool is_still_there(const LibraryCall& call, const char* argument, const void* pointer,
                    size_t bytes) {
  if (inside_allocation(pointer, bytes)) return true;
  Fault fault;
  fault.kind = "use_after_free";
  fault.sentence = said(call.name, ", a node of a graph, uses ", side_text(argument, pointer), ".");
  fault.advice = "Free the memory of a graph after its last launch, when that has run.";
  fail_in(call, std::move(fault));
  return false;
}

// Copies of one call as a node of a graph. They read host memory when they run.
Work copy_work(const char* name, const std::vector<Copy>& copies) {
  Work work{cudaGraphNodeTypeMemcpy, name};
  work.task = task_of_call(name);
  const LibraryCall call{name, check_hooks ? check_hooks->call_site() : nullptr};
  std::vector<Copy> later = copies;
  for (Copy& copy : later) {
    if (check_hooks && side_of(copy.from) == Side::device) copy.site = call.site;
  }
  work.run = [call, later] {
    if (sticky_error() != cudaSuccess) return;
    for (const Copy& copy : later) {
      if (!is_still_there(call, "dst", copy.to, copy.extent(copy.to_pitch)) ||
          !is_still_there(call, "src", copy.from, copy.extent(copy.from_pitch))) {
        return;
      }
      copy.run();
    }
  };
  return work;
}

cudaError_t copy_now_or_later(const char* call, const Copy& copy, cudaMemcpyKind kind,
                              bool asynchronous, cudaStream_t handle) {
  CUstream_st* stream = queue().resolve(handle);
  if (!stream) return refuse_stream(call);
  if (const cudaError_t wrong = refuse_in_capture(call, stream); wrong != cudaSuccess) return wrong;
  if (!asynchronous) {
    if (const cudaError_t wrong = refuse_unsafe_in_capture(call); wrong != cudaSuccess)
      return wrong;
  }
  const cudaError_t error = direction_error(call, copy, kind);
  if (error != cudaSuccess || copy.width == 0 || copy.height == 0) return error;
  if (stream->capture) {
    submit(stream, copy_work(call, {copy}));
    return cudaSuccess;
  }
  const Side from = side_of(copy.from), to = side_of(copy.to);
  if (asynchronous && from == Side::host && to != Side::host) {
    // From pageable memory: CUDA has read it when the call returns.
    auto staged = std::make_shared<std::vector<unsigned char>>(copy.width * copy.height);
    const Copy in{staged->data(), copy.width, copy.from, copy.from_pitch, copy.width, copy.height};
    in.run();
    const Copy out{copy.to, copy.to_pitch, staged->data(), copy.width, copy.width, copy.height};
    queue().push(
        stream, [out, staged] { out.run(); }, task_of_call(call));
    return cudaSuccess;
  }
  Copy later = copy;
  if (check_hooks && from == Side::device) later.site = check_hooks->call_site();
  queue().push(
      stream, [later] { later.run(); }, task_of_call(call));
  // Into pageable memory: the call returns when the copy is done.
  const bool blocks = !asynchronous || to == Side::host;
  // A blocking copy within the device does not wait for the host's sake.
  if (blocks) queue().drain(stream);
  return cudaSuccess;
}

// Rows of equal elements of 1, 2 or 4 bytes.
struct Filling {
  void* to;
  size_t pitch;  // bytes
  unsigned value, element_bytes;
  size_t width, height;  // elements

  size_t extent() const { return (height - 1) * pitch + width * element_bytes; }

  void run() const {
    if (element_bytes > 1) {
      copy_elements();
      return;
    }
    const Gate gate;
    const int byte = static_cast<int>(value);
    if (check_hooks) check_hooks->copied({to, pitch, nullptr, 0, width, height, byte}, nullptr);
    auto* row = static_cast<unsigned char*>(to);
    for (size_t i = 0; i < height; ++i, row += pitch) std::memset(row, byte, width);
  }

 private:
  // Each row is a copy of one in host memory.
  void copy_elements() const {
    std::vector<unsigned char> row(width * element_bytes);
    for (size_t i = 0; i < row.size(); i += element_bytes) {
      std::memcpy(row.data() + i, &value, element_bytes);  // its lowest bytes come first
    }
    Copy{to, pitch, row.data(), 0, row.size(), height}.run();
  }
};

cudaError_t filling_error(const char* call, const Filling& filling) {
  if (!filling.to) return refuse(call, cudaErrorInvalidValue, "devPtr is null");
  if (side_of(filling.to) == Side::host) {
    return refuse(call, cudaErrorInvalidValue, "devPtr is host memory that CUDA did not allocate");
  }
  if (inside_allocation(filling.to, filling.extent())) return cudaSuccess;
  return refuse(call, cudaErrorInvalidValue,
                overrun_text("it writes ", filling.extent(), "devPtr", filling.to));
}

Work filling_work(const char* name, const Filling& filling) {
  Work work{cudaGraphNodeTypeMemset, name};
  work.task = task_of_call(name);
  const LibraryCall call{name, check_hooks ? check_hooks->call_site() : nullptr};
  work.run = [call, filling] {
    if (sticky_error() != cudaSuccess) return;
    if (is_still_there(call, "dst", filling.to, filling.extent())) filling.run();
  };
  return work;
}

// Pinned memory, managed memory and variables, which the host may use once a blocking call returns.
bool is_seen_by_host(const void* pointer) {
  const auto found = find_allocation(pointer);
  return found && found->kind != MemoryKind::device;
}

cudaError_t set_memory(const char* call, void* pointer, size_t pitch, int value, size_t width,
                       size_t height, cudaStream_t handle, bool asynchronous) {
  CUstream_st* stream = queue().resolve(handle);
  if (!stream) return refuse_stream(call);
  if (const cudaError_t wrong = refuse_in_capture(call, stream); wrong != cudaSuccess) return wrong;
  if (!asynchronous) {
    if (const cudaError_t wrong = refuse_unsafe_in_capture(call); wrong != cudaSuccess)
      return wrong;
  }
  if (width == 0 || height == 0) return cudaSuccess;
  const Filling filling{pointer, pitch, static_cast<unsigned char>(value), 1, width, height};
  const cudaError_t error = filling_error(call, filling);
  if (error != cudaSuccess) return error;
  if (stream->capture) {
    submit(stream, filling_work(call, filling));
  } else {
    queue().push(
        stream, [filling] { filling.run(); }, task_of_call(call));
    if (!asynchronous && is_seen_by_host(pointer)) queue().drain(stream);
  }
  return cudaSuccess;
}

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

cudaError_t copy_rows(const char* call, const RowsToCopy& rows, cudaMemcpyKind kind,
                      bool asynchronous, cudaStream_t stream) {
  const Copy copy{rows.to, rows.to_pitch, rows.from, rows.from_pitch, rows.width, rows.height};
  return copy_now_or_later(call, copy, kind, asynchronous, stream);
}

cudaError_t rows_work(const char* call, const std::vector<RowsToCopy>& rows, cudaMemcpyKind kind,
                      Work& work) {
  std::vector<Copy> copies;
  for (const RowsToCopy& one : rows) {
    copies.push_back({one.to, one.to_pitch, one.from, one.from_pitch, one.width, one.height});
    const cudaError_t error = direction_error(call, copies.back(), kind);
    if (error != cudaSuccess) return error;
  }
  work = copy_work(call, copies);
  return cudaSuccess;
}

cudaError_t memset_work(const char* call, const cudaMemsetParams& parameters, Work& work) {
  constexpr cudaError_t kBad = cudaErrorInvalidValue;
  const unsigned bytes = parameters.elementSize;
  if (bytes != 1 && bytes != 2 && bytes != 4) {
    return refuse(call, kBad, said("elementSize is ", bytes, "; it must be 1, 2 or 4"));
  }
  if (parameters.width == 0 || parameters.height == 0) {
    return refuse(call, kBad, parameters.width == 0 ? "width is 0" : "height is 0");
  }
  const size_t row = parameters.width * bytes;
  if (parameters.height > 1 && parameters.pitch < row) {
    return refuse(call, kBad,
                  said("a row has ", row, " bytes, which is more than pitch, ", parameters.pitch));
  }
  const unsigned value = parameters.value & (~0u >> (32 - 8 * bytes));
  const Filling filling{parameters.dst, parameters.pitch, value,
                        bytes,          parameters.width, parameters.height};
  const cudaError_t error = filling_error(call, filling);
  if (error == cudaSuccess) work = filling_work(call, filling);
  return error;
}

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

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call([=] {
    return copy_now_or_later("cudaMemcpy", {to, bytes, from, bytes, bytes, 1}, kind, false,
                             nullptr);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (calling_block()) {
    const uintptr_t pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return queue_rows(
        "cudaMemcpyAsync",
        {static_cast<char*>(to), bytes, static_cast<const char*>(from), bytes, bytes, 1, 0, pc},
        stream);
  }
  return call([=] {
    return copy_now_or_later("cudaMemcpyAsync", {to, bytes, from, bytes, bytes, 1}, kind, true,
                             stream);
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width_bytes, size_t height, cudaMemcpyKind kind) {
  return call([=] {
    constexpr const char* kCall = "cudaMemcpy2D";
    if (width_bytes > to_pitch || width_bytes > from_pitch) {
      return refuse_pitch(kCall, width_bytes, to_pitch, from_pitch);
    }
    return copy_now_or_later(kCall, {to, to_pitch, from, from_pitch, width_bytes, height}, kind,
                             false, nullptr);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width_bytes, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (calling_block()) {
    const uintptr_t pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return queue_rows("cudaMemcpy2DAsync",
                      {static_cast<char*>(to), to_pitch, static_cast<const char*>(from), from_pitch,
                       width_bytes, height, 0, pc},
                      stream);
  }
  return call([=] {
    constexpr const char* kCall = "cudaMemcpy2DAsync";
    if (width_bytes > to_pitch || width_bytes > from_pitch) {
      return refuse_pitch(kCall, width_bytes, to_pitch, from_pitch);
    }
    return copy_now_or_later(kCall, {to, to_pitch, from, from_pitch, width_bytes, height}, kind,
                             true, stream);
  });
}

cudaError_t cudaMemset(void* d_pointer, int value, size_t bytes) {
  return call(
      [=] { return set_memory("cudaMemset", d_pointer, bytes, value, bytes, 1, nullptr, false); });
}
cudaError_t cudaMemsetAsync(void* d_pointer, int value, size_t bytes, cudaStream_t stream) {
  if (calling_block()) {
    const uintptr_t pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return queue_rows("cudaMemsetAsync",
                      {static_cast<char*>(d_pointer), bytes, nullptr, 0, bytes, 1, value, pc},
                      stream);
  }
  return call([=] {
    return set_memory("cudaMemsetAsync", d_pointer, bytes, value, bytes, 1, stream, true);
  });
}
cudaError_t cudaMemset2D(void* d_pointer, size_t pitch, int value, size_t width_bytes,
                         size_t height) {
  return call([=] {
    return set_memory("cudaMemset2D", d_pointer, pitch, value, width_bytes, height, nullptr, false);
  });
}
cudaError_t cudaMemset2DAsync(void* d_pointer, size_t pitch, int value, size_t width_bytes,
                              size_t height, cudaStream_t stream) {
  if (calling_block()) {
    const uintptr_t pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return queue_rows(
        "cudaMemset2DAsync",
        {static_cast<char*>(d_pointer), pitch, nullptr, 0, width_bytes, height, value, pc}, stream);
  }
  return call([=] {
    return set_memory("cudaMemset2DAsync", d_pointer, pitch, value, width_bytes, height, stream,
                      true);
  });
}

cudaError_t convkit_simt_copy_symbol(void* symbol, void* other, size_t symbol_bytes, size_t bytes,
                                     size_t offset, int to_symbol, cudaMemcpyKind kind,
                                     int asynchronous, cudaStream_t stream) {
  return call([=] {
    const char* const name =
        asynchronous ? to_symbol ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyFromSymbolAsync"
        : to_symbol  ? "cudaMemcpyToSymbol"
                     : "cudaMemcpyFromSymbol";
    if (offset > symbol_bytes || bytes > symbol_bytes - offset) {
      return refuse(
          name, cudaErrorInvalidValue,
          said("count is ", bytes, " and offset ", offset, "; the variable has ", symbol_bytes,
               " bytes", bytes > symbol_bytes ? ": what is larger must be copied in parts" : ""));
    }
    register_symbol(symbol, symbol_bytes);
    void* place = static_cast<unsigned char*>(symbol) + offset;
    const Copy copy = to_symbol ? Copy{place, bytes, other, bytes, bytes, 1}
                                : Copy{other, bytes, place, bytes, bytes, 1};
    return copy_now_or_later(name, copy, kind, asynchronous != 0, stream);
  });
}

cudaError_t convkit_simt_symbol_address(void** d_pointer, void* symbol, size_t symbol_bytes) {
  return call([=] {
    if (!d_pointer) {
      return refuse("cudaGetSymbolAddress", cudaErrorInvalidValue, "devPtr is null");
    }
    register_symbol(symbol, symbol_bytes);
    *d_pointer = symbol;
    return cudaSuccess;
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

cudaError_t convkit_simt_hint(const void* pointer, size_t bytes) {
  return call([=] {
    const auto found = find_allocation(pointer);
    constexpr const char* kCall = "The hint for managed memory";
    constexpr cudaError_t kBad = cudaErrorInvalidValue;
    if (bytes == 0) return refuse(kCall, kBad, "count is 0; it must be at least 1");
    if (!found || found->freed || found->kind != MemoryKind::managed) {
      return refuse(kCall, kBad,
                    side_text("devPtr", pointer) + ", is not memory of cudaMallocManaged");
    }
    const auto offset =
        static_cast<const unsigned char*>(pointer) - static_cast<unsigned char*>(found->begin);
    if (bytes <= found->bytes - static_cast<size_t>(offset)) return cudaSuccess;
    return refuse(kCall, kBad, overrun_text("it is about ", bytes, "devPtr", pointer));
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([=] {
    if (!attributes) {
      return refuse("cudaPointerGetAttributes", cudaErrorInvalidValue, "attributes is null");
    }
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, const_cast<void*>(pointer)};
    const auto found = find_allocation(pointer);
    if (!found || found->freed) return cudaSuccess;
    attributes->device = found->device;
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

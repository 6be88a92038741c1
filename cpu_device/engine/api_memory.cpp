// SPDX-License-Identifier: MIT
// Copies, memsets and pointers of the CUDA runtime API. Allocation: api_allocation.cpp.
#include <cstring>
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

// Check mode knows how long arrays of the host are. A GPU would copy what lies beside them.
bool leaves_array_at(const char* call, const char* uses, size_t bytes, const char* argument,
                     const void* pointer) {
  if (!check_hooks) return false;
  const Side side = side_of(pointer);
  if (side != Side::host && side != Side::pinned) return false;
  std::optional<HostRoom> room = check_hooks->host_room(pointer);
  if (!room && side == Side::pinned) {
    const auto found = find_allocation(pointer);
    room = HostRoom{static_cast<size_t>(found->begin + found->bytes -
                                        static_cast<const unsigned char*>(pointer)),
                    "its pinned memory"};
  }
  if (!room || bytes <= room->bytes) return false;
  const std::string sentence =
      said("it ", uses, " ", bytes, " bytes, and ", argument, ", host memory, has ", room->bytes,
           " from there to the end of ", room->of);
  refuse(call, cudaErrorInvalidValue, sentence);
  Fault fault;
  fault.kind = "out_of_bounds_host";
  fault.sentence = sentence + ".";
  fault.advice =
      "Sizes of copies are in bytes: the number of elements times the size of one. Nothing "
      "was copied; a GPU would take or destroy what lies beside the array.";
  check_hooks->library_fault(fault, call, check_hooks->call_site().get());
  return true;
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

bool copy_leaves_host_array(const char* call, const Copy& copy) {
  return leaves_host_array(call, copy.to, copy.extent(copy.to_pitch), copy.from,
                           copy.extent(copy.from_pitch));
}

// Of check mode: an error that the program does not look at is told at its end.
cudaError_t told_if_refused(cudaError_t error) {
  if (check_hooks && error != cudaSuccess) {
    check_hooks->call_refused(convkit_simt_why_refused(CONVKIT_SIMT_RUNTIME, error),
                              cudaGetErrorName(error));
  }
  return error;
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
  const cudaError_t error = told_if_refused(direction_error(call, copy, kind));
  if (error != cudaSuccess || copy.width == 0 || copy.height == 0) return error;
  if (copy_leaves_host_array(call, copy)) return cudaErrorInvalidValue;
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
  const cudaError_t error = told_if_refused(filling_error(call, filling));
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

}  // namespace

namespace convkit::simt {

bool leaves_host_array(const char* call, void* to, size_t written, const void* from, size_t read) {
  return leaves_array_at(call, "writes", written, "dst", to) ||
         leaves_array_at(call, "reads", read, "src", from);
}

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
    if (copy_leaves_host_array(call, copies.back())) return cudaErrorInvalidValue;
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

}  // namespace convkit::simt

extern "C" {

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
               " bytes",
               bytes > symbol_bytes
                   ? ": what is larger must be copied in parts"
                   : ". The offset counts bytes in the variable, not in the other memory: to begin "
                     "later there, move its pointer, and the offset stays 0"));
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

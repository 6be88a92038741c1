// SPDX-License-Identifier: MIT
#include "cpu_device/engine/library_call.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/capture.h"
#include "cpu_device/engine/context.h"
#include "cpu_device/engine/counts.h"
#include "cpu_device/engine/kernels.h"
#include "cpu_device/engine/queue.h"

namespace convkit::simt {
namespace {

// The bytes from the lowest to behind the highest that the operand may touch.
struct Extent {
  const unsigned char* begin;
  size_t bytes;
};

// A program may give sizes whose product overflows an integer: more than any memory has.
constexpr int64_t kTooMuch = int64_t{1} << 60;

int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &result);
  if (overflows) result = (a < 0) == (b < 0) ? kTooMuch : -kTooMuch;
  return std::clamp(result, -kTooMuch, kTooMuch);
}

Extent extent_of(const Operand& operand) {
  const auto size = static_cast<int64_t>(operand.element_bytes);
  const int64_t matrix = product(product(operand.columns - 1, operand.ld) + operand.rows, size);
  const int64_t way = product(product(operand.batches - 1, operand.batch_stride), size);
  return {static_cast<const unsigned char*>(operand.begin) + std::min<int64_t>(way, 0),
          static_cast<size_t>(matrix + std::abs(way))};
}

std::string argument_text(const Operand& operand) {
  std::string text = operand.argument;
  if (operand.entry >= 0) text += "[" + std::to_string(operand.entry) + "]";
  return text;
}

// "reads A, 3 columns of 4 elements of 4 bytes, 4 apart"
std::string use_text(const LibraryCall& call, const Operand& operand) {
  std::string text = std::string(call.name) + (operand.writes ? " writes " : " reads ") +
                     argument_text(operand) + ", ";
  const std::string elements = " elements of " + std::to_string(operand.element_bytes) + " bytes";
  if (operand.columns == 1 || (operand.rows == operand.ld && operand.rows == 1)) {
    text += std::to_string(std::max(operand.rows, operand.columns)) + elements;
  } else {
    text += std::to_string(operand.columns) + " columns of " + std::to_string(operand.rows) +
            elements + ", " + std::to_string(operand.ld) + " apart";
  }
  if (operand.batches > 1) {
    text += ", " + std::to_string(operand.batches) + " times, " +
            std::to_string(operand.batch_stride) + " apart";
  }
  return text;
}

void refuse_host_pointer(const LibraryCall& call, const Operand& operand) {
  Fault fault;
  fault.kind = "host_pointer_in_kernel";
  fault.sentence = "host pointer passed as argument " + argument_text(operand) + " of " +
                   call.name + operand.remark + ": the function works in device memory.";
  fault.advice = "Allocate device memory with cudaMalloc and copy the data with cudaMemcpy.";
  fail_in(call, std::move(fault));
}

// Of a pointer that leads to the tensor of another argument: cuDNN's are named as tensors are.
std::string exchanged_text(const LibraryCall& call, const Operand& operand,
                           const std::string& tensor) {
  if (!std::string_view(call.name).starts_with("cudnn")) return "";
  for (const std::string name : {"x", "w", "y", "dx", "dw", "dy"}) {
    if (tensor != '`' + name + '`' || name == operand.argument) continue;
    return "A pointer leads to the tensor of another argument: are two exchanged in the call? ";
  }
  return "";
}

// Of matrices of a batch that leave their memory, and only because of the distance between them.
std::string distance_text(const Operand& operand, const NamedPart& part) {
  if (operand.batches < 2 || operand.batch_stride <= 0) return "";
  Operand one = operand;
  one.batches = 1;
  const auto size = static_cast<int64_t>(operand.element_bytes);
  const int64_t room = part.begin + part.bytes - static_cast<const unsigned char*>(operand.begin);
  const auto matrix = static_cast<int64_t>(extent_of(one).bytes);
  if (matrix > room) return "";
  if (room < 2 * matrix && !operand.writes) {
    return part.name + " holds one of these matrices: if all " + std::to_string(operand.batches) +
           " products use the same one, the distance from one to the next is 0. ";
  }
  const int64_t apart = operand.batch_stride / size;
  if (operand.batch_stride % size != 0 || apart * size < matrix) return "";
  one.batches = operand.batches;
  one.batch_stride = apart;
  if (static_cast<int64_t>(extent_of(one).bytes) > room) return "";
  return "The distance counts elements: " + std::to_string(operand.batch_stride) +
         " is the number of bytes of " + std::to_string(apart) + ". ";
}

void refuse_extent(const LibraryCall& call, const Operand& operand, const Extent& extent,
                   const std::optional<Allocation>& allocation) {
  Fault fault;
  fault.kind = "out_of_bounds_global";
  fault.sentence = use_text(call, operand) + ": ";
  fault.advice = "Compare the sizes and leading dimensions with what was allocated.";
  if (!allocation) {
    fault.sentence += "the pointer leads to memory that is not allocated.";
    fault.advice = "Check the pointer.";
    fail_in(call, std::move(fault));
    return;
  }
  const NamedPart part = named_part(*allocation);
  const std::string what = part.name + " (" + std::to_string(part.bytes) + " bytes" +
                           (check_hooks ? check_hooks->allocation_remark(*allocation) : "") + ")";
  const unsigned char* end = part.begin + part.bytes;
  if (allocation->freed) {
    fault.kind = "use_after_free";
    fault.sentence += "it lies in " + what + ", which has been freed.";
    fault.advice = "Wait for the stream before the memory is freed.";
  } else if (extent.begin < part.begin) {
    fault.sentence += "it begins " + std::to_string(part.begin - extent.begin) +
                      " bytes before the beginning of " + what + ".";
  } else {
    fault.advice =
        exchanged_text(call, operand, part.name) + distance_text(operand, part) + fault.advice;
    fault.sentence += "it ends " + std::to_string(extent.begin + extent.bytes - end) +
                      " bytes past the end of " + what + ".";
  }
  fail_in(call, std::move(fault));
}

void refuse_null(const LibraryCall& call, const Operand& operand) {
  Fault fault;
  fault.kind = "null_pointer";
  fault.sentence = "null pointer passed as argument " + argument_text(operand) + " of " +
                   call.name + operand.remark + ".";
  fault.advice = "Was the memory allocated, and was cudaMalloc's error checked?";
  fail_in(call, std::move(fault));
}

// Of this thread: enqueue() is part of its answer.
thread_local const char* g_last_call = "a library's call";

bool is_first(const char* call, const char* argument) {
  static std::mutex mutex;
  static auto* const told = new std::set<std::pair<std::string, std::string>>;
  const std::lock_guard lock(mutex);
  return told->emplace(call, argument).second;
}

}  // namespace

LibraryCall library_call(const char* name) {
  g_last_call = name;
  return {name, check_hooks ? check_hooks->call_site() : nullptr};
}

cudaError_t enqueue(cudaStream_t handle, std::function<void()> run) {
  const std::lock_guard lock(queue().mutex);
  if (const cudaError_t refused = refused_call(); refused != cudaSuccess) return refused;
  CUstream_st* stream = queue().resolve(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t conflict = capture_conflict(stream); conflict != cudaSuccess) {
    return conflict;
  }
  Work work{cudaGraphNodeTypeKernel, g_last_call};
  work.run = [run = std::move(run)] {
    if (sticky_error() != cudaSuccess) return;
    const Gate gate;
    counts().library_calls += 1;
    run();
  };
  work.task = task_of_call(g_last_call);
  submit(stream, std::move(work));
  return cudaSuccess;
}

void fail_in(const LibraryCall& call, Fault fault) {
  fault.error = cudaErrorIllegalAddress;
  if (check_hooks) {
    check_hooks->library_fault(fault, call.name, call.site.get());
  } else {
    tell(fault, call.name);
  }
  stick(fault.error);
}

bool may_use(const LibraryCall& call, const Operand& operand) {
  if (operand.empty()) return true;
  if (!operand.begin) {
    refuse_null(call, operand);
    return false;
  }
  const Extent extent = extent_of(operand);
  const auto allocation = find_allocation(extent.begin);
  if (!allocation && !in_device_range(extent.begin)) {
    if (is_in_program_data(extent.begin)) return true;  // perhaps a __device__ variable
    refuse_host_pointer(call, operand);
    return false;
  }
  const bool inside =
      allocation && !allocation->freed &&
      extent.bytes <= allocation->bytes - static_cast<size_t>(extent.begin - allocation->begin);
  if (!inside) {
    refuse_extent(call, operand, extent,
                  allocation ? allocation : find_allocation(operand.begin, size_t{1} << 40));
    return false;
  }
  if (check_hooks) {
    Operand use = operand;
    // Host code may have written to managed memory: nobody knows.
    if (allocation->kind != MemoryKind::device) use.reads = false;
    if (use.reads || use.writes) check_hooks->library_uses(use, call.name, call.site.get());
  }
  return true;
}

void expect_apart(const LibraryCall& call, std::initializer_list<Operand> operands) {
  if (!check_hooks) return;
  check_hooks->library_overlaps(operands.begin(), operands.size(), call.name, call.site.get());
}

bool is_host_memory(const LibraryCall& call, const char* argument, const void* pointer,
                    const char* remark, const char* advice) {
  if (!in_device_range(pointer)) return true;
  const auto allocation = find_allocation(pointer);
  if (allocation && !allocation->freed && allocation->kind != MemoryKind::device) return true;
  Fault fault;
  fault.kind = "device_pointer_on_host";
  fault.sentence = std::string("device pointer passed as argument ") + argument + " of " +
                   call.name + remark + ": " + describe_address(pointer) + ".";
  fault.advice = advice;
  fail_in(call, std::move(fault));
  return false;
}

void tell_ignored(const LibraryCall& call, const char* argument, const std::string& value,
                  const char* advice) {
  Fault fault;
  fault.kind = "ignored_call";
  fault.sentence =
      std::string(call.name) + " did nothing: its argument " + argument + " is " + value + ".";
  fault.advice = advice;
  if (check_hooks) {
    check_hooks->library_fault(fault, call.name, call.site.get());
  } else if (is_first(call.name, argument)) {
    tell(fault, "");
  }
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// The events that check mode (cpu_device/check, a separate library) gets, and the questions that it
// may ask. In plain mode `check_hooks` is null, which is the only cost of plain mode.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpu_device/engine/async_copies.h"
#include "cpu_device/engine/fault.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/shared_memory.h"
#include "cpu_device/engine/task.h"
#include "simt/matrix_side.h"

#define CONVKIT_SIMT_EXPORT __attribute__((visibility("default")))

namespace convkit::simt {

struct Operand;  // library_call.h

// The rows of a copy, or of a memset (then `from` is null).
struct CopiedRows {
  void* to;
  size_t to_pitch;
  const void* from;
  size_t from_pitch;
  size_t width, height;
  int value;  // of a memset
};

// From a pointer to the end of what it points into.
struct HostRoom {
  size_t bytes;
  const char* of;  // "its array"
};

// Why a lane takes no part in a shuffle. never_there: the block has fewer threads.
enum class Absence { returned, never_there, not_in_mask };

struct CheckHooks {
  // In the worker: there is one, and blocks run one after the other. The blocks of a cooperative
  // launch have a worker each, of which one runs at a time (resident_blocks.h).
  void (*kernel_begins)(const Grid& grid);
  void (*kernel_ends)(const Grid& grid);
  void (*block_begins)(uint3 index);
  void (*block_ends)();
  void (*barrier_opens)();
  // The block of a cooperative launch stops where it is, and goes on: after others have run.
  void (*block_leaves)();
  void (*block_resumes)(uint3 index);
  void (*grid_meets)();  // all blocks have come to a barrier of the grid
  // The running thread arrives at a phase of a cuda::barrier, or goes on because it is complete.
  void (*phase_arrival)(const void* barrier, unsigned phase);
  void (*phase_passed)(const void* barrier, unsigned phase);
  // `lanes` of the warp took part in a warp function, of those `live` that have not exited.
  void (*warp_meets)(unsigned warp, unsigned lanes, unsigned live);
  // In a shuffle, the lane of the warp is about to read `source`, which takes no part in it.
  void (*absent_lane)(const ConvkitWarpOp& op, unsigned lane, unsigned source, Absence why);
  // The running thread calls a fence, for the device or only for its block; it is about to make an
  // atomic access, of AtomicManner (simt/atomic_operations.h).
  void (*fence)(bool of_device);
  void (*atomic_begins)(const void* address, unsigned manner);
  // The running thread launches the child. What is returned becomes the child's `birth`.
  std::shared_ptr<const void> (*child_queued)(const Grid& parent, const Grid& child,
                                              cudaStream_t stream);
  // The running thread asks for the copy; it is about to be made, as the thread waits for it.
  void (*async_copy_begins)(const AsyncCopy& copy);
  void (*async_copy_ends)(const AsyncCopy& copy);
  // The running thread's cudaMalloc() has made it; its cudaFree() is about to free it.
  void (*heap_taken)(void* memory, size_t bytes);
  void (*heap_left)(void* memory);
  // The running thread's warp is about to load or store this matrix by `op`.
  void (*matrix_begins)(const ConvkitMatrixInMemory& matrix, const ConvkitWarpOp& op);
  // The running thread reads a texel; it asks for an element that linear memory does not have.
  void (*texel_read)(const void* texel, size_t bytes, uintptr_t pc);
  void (*fetch_beyond)(const void* memory, int64_t index, int64_t count, uintptr_t pc);
  // A signal at `pc` ends the kernel: adds the line to the sentence.
  void (*fault_at)(Fault& fault, uintptr_t pc);

  // In host threads.
  // The `__managed__` variables of a loaded object: registers each, or returns false where their
  // names are not known.
  bool (*managed_variables)(void* begin, size_t bytes);
  void (*allocated)(const Allocation& allocation);
  void (*freed)(const Allocation& allocation);
  void (*will_be_freed)(const Allocation& allocation);  // in a stream; freed() comes, or the end
  void (*free_refused)(void* pointer);
  std::shared_ptr<void> (*call_site)();  // of the API call that is being answered
  void (*copied)(const CopiedRows& rows, const void* call_site);
  // A copy is asked for that uses memory of the host.
  std::optional<HostRoom> (*host_room)(const void* pointer);
  // A copy, a memset or the use of what was destroyed is refused, for this reason, and returns
  // this.
  void (*call_refused)(const char* reason, const std::string& status);
  void (*launch_refused)(cudaError_t error, const std::string& kernel,
                         const ConvkitSimtLaunch& launch);
  void (*errors_read)();
  void (*device_reset)();
  // A report has been written.
  void (*told)(const Fault& fault);
  // A library's operation is about to use memory of a device allocation.
  void (*library_uses)(const Operand& operand, const char* call, const void* call_site);
  // It may use all of these, but not two that overlap.
  void (*library_overlaps)(const Operand* operands, size_t count, const char* call,
                           const void* call_site);
  // It may not: tells the fault with the line of the call.
  void (*library_fault)(const Fault& fault, const char* call, const void* call_site);
  std::string (*allocation_remark)(const Allocation& allocation);
  // "tile.cu:12", or "" where the line is not known.
  std::string (*line_of_call)(const void* call_site);
};

extern CONVKIT_SIMT_EXPORT const CheckHooks* check_hooks;

// The questions of check mode. The first seven are about the block that runs on the calling worker.
CONVKIT_SIMT_EXPORT const unsigned* running_thread();  // its number; the address stays the same
CONVKIT_SIMT_EXPORT std::string place_of_running_thread();  // kernel, block, thread, launch
CONVKIT_SIMT_EXPORT uint3 thread_index(unsigned thread);
// The running thread looks at what others may change (an atomic or volatile access). Of a
// cooperative launch, other blocks may then run.
CONVKIT_SIMT_EXPORT void running_thread_polls();
// Ends the launch. Does not return: the thread stays where it is, and never goes on.
[[noreturn]] CONVKIT_SIMT_EXPORT void stop_kernel(Fault fault, std::string where);
// Where the threads wait at the barrier that opens.
struct BarrierSite {
  const char* file;  // null: not known
  int line;
};
CONVKIT_SIMT_EXPORT BarrierSite opening_barrier();
// Of the block, when a barrier opens: all, and those that have returned already.
CONVKIT_SIMT_EXPORT BlockThreads threads_at_barrier();
CONVKIT_SIMT_EXPORT bool is_thread_stack(const void* address);
CONVKIT_SIMT_EXPORT bool is_builtin_variable(const void* address);
CONVKIT_SIMT_EXPORT std::array<const void*, 4> builtin_variables();  // threadIdx, ...
CONVKIT_SIMT_EXPORT std::vector<SharedRange> static_shared_memory();
CONVKIT_SIMT_EXPORT unsigned char* dynamic_shared_memory();
CONVKIT_SIMT_EXPORT unsigned device_code_generation();  // changes when there is more of it
struct DeviceRange {
  unsigned char* begin;
  size_t bytes;
};
CONVKIT_SIMT_EXPORT DeviceRange device_range();
CONVKIT_SIMT_EXPORT bool is_device_address(const void* address);
CONVKIT_SIMT_EXPORT std::optional<Allocation> allocation_at(const void* address, size_t slack);
CONVKIT_SIMT_EXPORT std::vector<Allocation> leaked_allocations();
// Device memory is accessible while what it returns lives.
CONVKIT_SIMT_EXPORT std::shared_ptr<void> open_device_memory();
CONVKIT_SIMT_EXPORT bool device_has_failed();
CONVKIT_SIMT_EXPORT std::vector<Unjoined> unjoined_tasks();
// What host code does now, where there is work that nobody has waited for; else null.
CONVKIT_SIMT_EXPORT std::shared_ptr<const Task> host_task();
// At the end of a program: runs the launches that nobody has waited for; nothing where other work
// is among them, which may use what the program has destroyed.
CONVKIT_SIMT_EXPORT void run_unwaited_launches();
// The operation that runs; null outside of one.
CONVKIT_SIMT_EXPORT std::shared_ptr<const Task> running_task();
// The number of the stream that a handle means (0: the default stream), or nothing.
CONVKIT_SIMT_EXPORT std::optional<uint64_t> stream_number(cudaStream_t stream);
CONVKIT_SIMT_EXPORT void write_report(const Fault& fault, const std::string& where);
CONVKIT_SIMT_EXPORT std::string file_and_line(const char* file, int line);

}  // namespace convkit::simt

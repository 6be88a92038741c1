// SPDX-License-Identifier: MIT
// Launches by kernels (dynamic parallelism). A kernel's thread queues a child grid, which runs when
// the blocks of the launching grid have ended and before that grid counts as complete: children in
// the order of blocks and of the launches in each, then what was launched in cudaStreamTailLaunch.
// CUDA allows this order, and a parent cannot wait for its children in any other way.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cpu_device/engine/fault.h"
#include "cpu_device/engine/grid.h"
#include "simt/runtime_types.h"

namespace convkit::simt {

class BlockRunner;

// Grids one in the other, the one that the host launched included ("CUDA C++ Programming Guide",
// technical specifications per compute capability). A tail launch takes the place of its parent.
inline constexpr unsigned kMostNested = 24;

// What a block has to remember of its threads' launches, until it ends.
class NestedLaunches {
 public:
  // The last error of a thread, as cudaGetLastError() and cudaPeekAtLastError() give it in kernels.
  cudaError_t take_error(unsigned thread);
  cudaError_t peek_error(unsigned thread);
  void set_error(unsigned thread, cudaError_t error) { errors_[thread].error = error; }
  // The same of a launch; `told` is written when the block ends, if the thread has not asked.
  void refuse(unsigned thread, Fault told, std::string where);
  void tell_unread();

  // Streams belong to the block that made them.
  cudaStream_t make_stream();
  bool destroy_stream(cudaStream_t stream) { return streams_.erase(stream) != 0; }
  bool has_stream(cudaStream_t stream) const { return streams_.count(stream) != 0; }

 private:
  struct Error {
    cudaError_t error = cudaSuccess;
    Fault told{};  // of kind "" where there is nothing to tell
    std::string where{};
  };
  std::map<unsigned, Error> errors_;  // by thread
  std::set<cudaStream_t> streams_;
};

// The block that runs on this OS thread, if a kernel calls; else null.
BlockRunner* calling_block();

// The watchdog's signal waits while it lives: the engine allocates, or holds a lock.
class HeldStop {
 public:
  HeldStop();
  ~HeldStop();
  HeldStop(const HeldStop&) = delete;
  HeldStop& operator=(const HeldStop&) = delete;

 private:
  static void hold(int how);
};

// A thread of the block launches the grid. `why` is what is wrong with its configuration, or "".
// Returns what cudaGetLastError() gives the thread.
cudaError_t queue_child(BlockRunner& block, const std::shared_ptr<Grid>& child, cudaStream_t stream,
                        const std::string& why);

// cudaMemcpyAsync() and cudaMemsetAsync() of a kernel: a child of one thread. `from` is null of
// what is set to `value`; `pc` is in the kernel.
struct RowsInKernel {
  char* to;
  size_t to_pitch;
  const char* from;
  size_t from_pitch;
  size_t width, rows;
  int value;
  uintptr_t pc;
};
cudaError_t queue_rows(const char* call, const RowsInKernel& rows, cudaStream_t stream);

// cudaMalloc() and cudaFree() of a kernel: of the heap that its malloc() takes from, too.
cudaError_t allocate_in_kernel(void** pointer, size_t bytes);
cudaError_t free_in_kernel(void* pointer);

// Moves what the grid has launched behind what waits, the first to run at the end.
void take_children(Grid& grid, std::vector<std::shared_ptr<Grid>>& waiting);

// Ends the kernel, if one calls: the call is for host code.
void refuse_in_kernel();

// cudaLimitDevRuntimePendingLaunchCount: here, the children that one grid may have.
size_t pending_launch_limit();
void set_pending_launch_limit(size_t limit);

}  // namespace convkit::simt

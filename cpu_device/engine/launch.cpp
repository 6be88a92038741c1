// SPDX-License-Identifier: MIT
// From a launch in the student's code to a grid on the workers.
#include "simt/launch.h"

#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/capture.h"
#include "cpu_device/engine/context.h"
#include "cpu_device/engine/counts.h"
#include "cpu_device/engine/faults.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/kernel_work.h"
#include "cpu_device/engine/kernels.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/nested_launches.h"
#include "cpu_device/engine/occupancy.h"
#include "cpu_device/engine/queue.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/resident_blocks.h"
#include "cpu_device/engine/settings.h"
#include "cpu_device/engine/shared_memory.h"
#include "cpu_device/engine/workers.h"

namespace convkit::simt {
namespace {

// Limits of compute capability 9.0.
constexpr unsigned kMaxBlockThreads = 1024;
constexpr unsigned kMaxBlock[3] = {1024, 1024, 64};
constexpr unsigned kMaxGrid[3] = {2147483647, 65535, 65535};

// "(k<float>)", as the macro spells it, without its parentheses. A kernel that is launched by its
// address has no such text.
std::string kernel_name(const ConvkitSimtKernel& kernel) {
  if (kernel.name == nullptr) return name_of_kernel(kernel.function, "a kernel");
  std::string name = kernel.name;
  if (name.size() >= 2 && name.front() == '(' && name.back() == ')') {
    name = name.substr(1, name.size() - 2);
  }
  return name;
}

std::string product(const unsigned (&dim)[3]) {
  return std::to_string(dim[0]) + " x " + std::to_string(dim[1]) + " x " + std::to_string(dim[2]);
}

// "its grid is 0 x 1 x 1; 1 to 2147483647 x 65535 x 65535 is allowed", or "".
std::string out_of_range(const char* what, const unsigned (&dim)[3], const unsigned (&most)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (dim[axis] != 0 && dim[axis] <= most[axis]) continue;
    const std::string above = dim[axis] == 0 ? ""
                                             : std::string(": ") + what + "Dim." + "xyz"[axis] +
                                                   " is " + std::to_string(dim[axis]) + ", above " +
                                                   std::to_string(most[axis]);
    return std::string("its ") + what + " is " + product(dim) + "; each size must be at least 1, " +
           "and " + product(most) + " is the most" + above;
  }
  return "";
}

// Why CUDA refuses the launch, or "".
std::string configuration_error(const ConvkitSimtKernel& kernel, const ConvkitSimtLaunch& launch) {
  const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (threads > kMaxBlockThreads) {
    return "its block of " + product(launch.block) + " has " + std::to_string(threads) +
           " threads; at most " + std::to_string(kMaxBlockThreads) + " are allowed";
  }
  for (const std::string& why : {out_of_range("block", launch.block, kMaxBlock),
                                 out_of_range("grid", launch.grid, kMaxGrid)}) {
    if (!why.empty()) return why;
  }
  if (launch.most_threads != 0 && threads > launch.most_threads) {
    return "its block of " + product(launch.block) + " has " + std::to_string(threads) +
           " threads; __launch_bounds__ of the kernel allows " +
           std::to_string(launch.most_threads);
  }
  const size_t limit = dynamic_shared_limit(kernel.function);
  if (launch.shared_bytes > limit) {
    // Fewer floats than the limit: a test that counts floats lets the launch pass.
    const size_t floats = launch.shared_bytes / sizeof(float);
    const bool fits_in_floats = launch.shared_bytes % sizeof(float) == 0 && floats <= limit;
    const std::string in_floats =
        fits_in_floats ? ". It is room for " + std::to_string(floats) +
                             " floats: where a size is compared with " + std::to_string(limit) +
                             ", multiply the number of floats by sizeof(float)"
                       : "";
    return "it asks for " + std::to_string(launch.shared_bytes) +
           " bytes of dynamic shared memory; this kernel may have " + std::to_string(limit) +
           " (cudaFuncSetAttribute allows up to " + std::to_string(kSharedBytesOptIn) +
           (limit * sizeof(float) == launch.shared_bytes
                ? ", and counts bytes: this is the number of floats)"
                : ")" + in_floats);
  }
  return "";
}

// Why CUDA refuses a cooperative launch that would be an ordinary one, or "".
std::string residence_error(const ConvkitSimtLaunch& launch, uint64_t blocks, uint64_t threads) {
  const unsigned each = blocks_per_processor(threads, launch.shared_bytes);
  const uint64_t most = uint64_t{each} * settings().threads;
  if (blocks > most) {
    return "its grid has " + std::to_string(blocks) +
           " blocks, and all blocks of a cooperative launch must be resident at once: of " +
           std::to_string(threads) + " threads and " + std::to_string(launch.shared_bytes) +
           " bytes of dynamic shared memory, a multiprocessor holds " + std::to_string(each) +
           ", and the device has " + std::to_string(settings().threads) + " of them";
  }
  const uint64_t workers = make_resident_workers(blocks);
  if (workers < blocks) {
    return "each of its " + std::to_string(blocks) +
           " blocks needs an OS thread of its own, and the system gives this program only " +
           std::to_string(workers) + " (ulimit -u)";
  }
  return "";
}

// A host pointer among the arguments: on a GPU the kernel would fault where it is used.
std::string host_pointer_among(const ConvkitSimtKernel& kernel, const std::string& name) {
  for (unsigned i = 0; i < kernel.pointer_count; ++i) {
    void* pointer = nullptr;
    std::memcpy(&pointer, static_cast<const char*>(kernel.arguments) + kernel.pointers[i],
                sizeof pointer);
    if (pointer == nullptr || in_device_range(pointer) || find_allocation(pointer)) continue;
    if (is_in_program_data(pointer)) continue;  // perhaps a __device__ variable
    return "argument " + std::to_string(kernel.pointer_at[i]) + " of " + name +
           " is a host pointer: the kernel cannot use host memory.";
  }
  return "";
}

// A launch that has not been refused. It can run more than once.
struct PreparedLaunch {
  ConvkitSimtKernel kernel{};  // without its arguments and pointers, which die with the call
  ConvkitSimtLaunch launch{};
  decltype(Grid::arguments) arguments{};
  std::string name{};
  uint64_t blocks = 0;
  unsigned threads = 0;
  std::string host_pointer{};  // what is wrong with an argument, or ""
};

std::shared_ptr<Grid> grid_of(const PreparedLaunch& prepared) {
  const ConvkitSimtLaunch& launch = prepared.launch;
  auto grid = std::make_shared<Grid>();
  grid->invoke = prepared.kernel.invoke;
  grid->function = prepared.kernel.function;
  grid->arguments = prepared.arguments;
  grid->name = prepared.name;
  grid->blocks_dim = {launch.grid[0], launch.grid[1], launch.grid[2]};
  grid->threads_dim = {launch.block[0], launch.block[1], launch.block[2]};
  grid->blocks = prepared.blocks;
  grid->threads = prepared.threads;
  grid->shared_bytes = launch.shared_bytes;
  grid->seed = settings().seed;
  grid->poison = settings().poison;
  grid->file = launch.file;
  grid->line = launch.line;
  if (launch.cooperative) grid->resident = resident_blocks(*grid);
  return grid;
}

std::shared_ptr<PreparedLaunch> prepare(const ConvkitSimtKernel& kernel,
                                        const ConvkitSimtLaunch& launch) {
  auto prepared = std::make_shared<PreparedLaunch>();
  prepared->kernel = kernel;
  prepared->launch = launch;
  const auto* bytes = static_cast<const unsigned char*>(kernel.arguments);
  prepared->arguments.assign(bytes, bytes + kernel.arguments_bytes);
  prepared->name = kernel_name(kernel);
  prepared->blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  prepared->threads = launch.block[0] * launch.block[1] * launch.block[2];
  return prepared;
}

void run_grid(Grid& grid) {
  run_on_workers(grid);
  counts().launches += 1;
  counts().blocks += grid.blocks_done;
  counts().threads += grid.blocks_done * grid.threads;
}

// Kernels that launch others without end.
bool has_had_its_time(const Grid& grid) {
  if (!grid.is_child) return false;
  return std::chrono::steady_clock::now() - grid.begun >
         std::chrono::duration<double>(settings().timeout_s);
}

// The grid and all that come of it, depth first (nested_launches.h), to the first that fails.
void run_family(const std::shared_ptr<Grid>& first) {
  if (sticky_error() != cudaSuccess) return;
  const Gate gate;
  first->begun = std::chrono::steady_clock::now();
  std::vector<std::shared_ptr<Grid>> waiting{first};
  while (!waiting.empty()) {
    const std::shared_ptr<Grid> grid = std::move(waiting.back());
    waiting.pop_back();
    if (has_had_its_time(*grid)) {
      end_for_time(*grid);
    } else {
      run_grid(*grid);
    }
    if (grid->failed) {
      tell(grid->fault, grid->fault_place);
      stick(grid->fault.error);
      return;
    }
    take_children(*grid, waiting);
  }
}

// A pointer among the arguments to what only the launching thread or its block has.
Fault pointer_of_block(BlockRunner& block, const ConvkitSimtKernel& kernel,
                       const ConvkitSimtLaunch& launch) {
  Fault fault;
  for (unsigned i = 0; i < kernel.pointer_count; ++i) {
    void* pointer = nullptr;
    std::memcpy(&pointer, static_cast<const char*>(kernel.arguments) + kernel.pointers[i],
                sizeof pointer);
    if (pointer == nullptr || in_device_range(pointer)) continue;
    const bool local = block.in_stacks(pointer);
    if (!local && !is_shared_memory(pointer)) continue;
    fault.error = cudaErrorIllegalAddress;
    fault.kind = "parent_pointer_in_child";
    fault.sentence = "argument " + std::to_string(kernel.pointer_at[i]) + " of " +
                     kernel_name(kernel) + ", launched at " + site_text(launch.file, launch.line) +
                     ", is a pointer to " +
                     (local ? "a local variable of the thread" : "shared memory of the block") +
                     " that launches it: a child grid can use global memory only.";
    fault.advice = "Pass the value itself, or a pointer to memory of cudaMalloc.";
    break;
  }
  return fault;
}

cudaError_t launch_in_kernel(BlockRunner& block, const ConvkitSimtKernel& kernel,
                             const ConvkitSimtLaunch& launch) {
  Fault fault;
  cudaError_t error = cudaSuccess;
  {
    const HeldStop held;
    fault = pointer_of_block(block, kernel, launch);
    if (fault.kind.empty()) {
      const std::string why = launch.cooperative ? "only the host can launch a cooperative grid"
                                                 : configuration_error(kernel, launch);
      error = queue_child(block, grid_of(*prepare(kernel, launch)), launch.stream, why);
    }
  }
  if (!fault.kind.empty()) block.abandon(std::move(fault));
  return error;
}

void run_launch(const PreparedLaunch& prepared) {
  if (sticky_error() != cudaSuccess) return;
  const std::shared_ptr<Grid> grid = grid_of(prepared);
  if (prepared.host_pointer.empty()) {
    run_family(grid);
    return;
  }
  Fault fault;
  fault.error = cudaErrorIllegalAddress;
  fault.kind = "host_pointer_in_kernel";
  fault.sentence = prepared.host_pointer;
  fault.advice = "Allocate device memory with cudaMalloc and copy the data with cudaMemcpy.";
  grid->fail(std::move(fault), grid->launch_text());
  tell(grid->fault, grid->fault_place);
  stick(grid->fault.error);
}

// Why the launch is refused, whatever stream it is for.
struct LaunchRefusal {
  cudaError_t error = cudaSuccess;
  std::string why{};
};

LaunchRefusal launch_refusal(const ConvkitSimtKernel& kernel, const ConvkitSimtLaunch& launch) {
  // Up to CUDA 12 it was cudaErrorInvalidConfiguration; CUDA 13.0 on an H200 says this.
  const std::string why = configuration_error(kernel, launch);
  if (!why.empty()) return {cudaErrorInvalidValue, why};
  if (!launch.cooperative) return {};
  const uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const std::string too_large = residence_error(launch, blocks, threads);
  if (!too_large.empty()) return {cudaErrorCooperativeLaunchTooLarge, too_large};
  return {};
}

// Of a launch that is not refused. The arguments are copied.
Work launch_work(const ConvkitSimtKernel& kernel, const ConvkitSimtLaunch& launch) {
  const auto prepared = prepare(kernel, launch);
  prepared->host_pointer = host_pointer_among(kernel, prepared->name);
  Work work{cudaGraphNodeTypeKernel, prepared->name};
  work.run = [prepared] { run_launch(*prepared); };
  work.task = task_of_launch(prepared->name, launch.file, launch.line);
  work.kernel = kernel.function;
  work.cooperative = launch.cooperative != 0;
  return work;
}

}  // namespace

cudaError_t kernel_work(const char* call, const ConvkitSimtKernel& kernel,
                        const ConvkitSimtLaunch& launch, Work& work) {
  const LaunchRefusal refusal = launch_refusal(kernel, launch);
  if (refusal.error != cudaSuccess) {
    return refuse(call, refusal.error, "the kernel is " + kernel_name(kernel) + "; " + refusal.why);
  }
  work = launch_work(kernel, launch);
  return cudaSuccess;
}

}  // namespace convkit::simt

cudaError_t convkit_simt_launch(const ConvkitSimtKernel* kernel, const ConvkitSimtLaunch* launch) {
  using namespace convkit::simt;
  if (BlockRunner* block = calling_block()) return launch_in_kernel(*block, *kernel, *launch);
  const std::lock_guard lock(queue().mutex);
  if (sticky_error() != cudaSuccess) return noted(sticky_error());
  CUstream_st* stream = queue().resolve(launch->stream);
  if (!stream) {
    remember_refusal(CONVKIT_SIMT_RUNTIME, cudaErrorInvalidResourceHandle,
                     "The launch of " + kernel_name(*kernel) + " at " +
                         site_text(launch->file, launch->line) + " was refused",
                     why_not_queued(cudaErrorInvalidResourceHandle), Line::in_call);
    return noted(cudaErrorInvalidResourceHandle);
  }
  const auto refuse_launch = [&](cudaError_t error, const std::string& why) {
    const std::string name = kernel_name(*kernel);
    remember_refusal(
        CONVKIT_SIMT_RUNTIME, error,
        "The launch of " + name + " at " + site_text(launch->file, launch->line) + " was refused",
        why, Line::in_call);
    // A launch by address, which has no name, returns the error to its caller.
    if (check_hooks && kernel->name != nullptr) check_hooks->launch_refused(error, name, *launch);
    return noted(error);
  };
  if (in_host_function()) {
    return refuse_launch(cudaErrorNotPermitted, "a host function of a stream must not call CUDA");
  }
  if (const cudaError_t conflict = capture_conflict(stream); conflict != cudaSuccess) {
    return refuse_launch(conflict, why_not_queued(conflict));
  }
  const LaunchRefusal refusal = launch_refusal(*kernel, *launch);
  if (refusal.error != cudaSuccess) return refuse_launch(refusal.error, refusal.why);
  if (fails_on_purpose(CONVKIT_SIMT_LAUNCH)) {  // nothing that check mode should report
    remember_refusal(CONVKIT_SIMT_RUNTIME, cudaErrorLaunchOutOfResources,
                     "The launch of " + kernel_name(*kernel) + " at " +
                         site_text(launch->file, launch->line) + " was refused",
                     kFailsOnPurpose, Line::in_call);
    return noted(cudaErrorLaunchOutOfResources);
  }
  submit(stream, launch_work(*kernel, *launch));
  return cudaSuccess;
}

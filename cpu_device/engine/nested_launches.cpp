// SPDX-License-Identifier: MIT
#include "cpu_device/engine/nested_launches.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "cpu_device/engine/async_copies.h"
#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/faults.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "simt/runtime_api.h"

namespace convkit::simt {
namespace {

std::atomic<size_t> g_pending_limit{2048};
std::atomic<uintptr_t> g_streams_made{0};

// No pointer of the host looks like it.
constexpr uintptr_t kStreamOfBlock = uintptr_t{0x5353} << 48;

// Threads and blocks of a kernel often make the same mistake.
bool is_new(const std::string& sentence) {
  static std::mutex mutex;
  static auto* const told = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return told->insert(sentence).second;
}

struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string why{}, advice{};
};

// `waiting`: so many children of the parent have been queued.
Refusal refusal_of(const Grid& child, size_t waiting, const std::string& why) {
  if (!why.empty()) return {cudaErrorInvalidConfiguration, why, ""};
  if (child.depth > kMostNested) {
    return {cudaErrorLaunchMaxDepthExceeded,
            "grids may be nested " + std::to_string(kMostNested) + " deep, and its parent is",
            "Does the recursion end?"};
  }
  if (waiting >= g_pending_limit) {
    return {cudaErrorLaunchPendingCountExceeded,
            "the grid has launched " + std::to_string(waiting) + " others, which wait for it",
            "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, N) in host code allows "
            "more."};
  }
  return {};
}

void refuse_child(BlockRunner& block, const Grid& child, const Refusal& refusal) {
  Fault told;
  told.error = refusal.error;
  told.kind = "launch_error_unread";
  told.sentence = "the launch of " + child.name + " at " + site_text(child.file, child.line) +
                  ", in a kernel, was refused with " + cudaGetErrorName(refusal.error) +
                  ", and its thread did not check for errors: " + refusal.why + ".";
  told.advice = refusal.advice.empty() ? "Call cudaGetLastError() after the launch, in the kernel."
                                       : refusal.advice;
  block.nested_launches().refuse(block.thread(), std::move(told), block.place());
}

bool knows_stream(BlockRunner& block, cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamFireAndForget || stream == cudaStreamTailLaunch ||
         block.nested_launches().has_stream(stream);
}

}  // namespace

cudaError_t NestedLaunches::peek_error(unsigned thread) {
  const auto found = errors_.find(thread);
  if (found == errors_.end()) return cudaSuccess;
  found->second.told.kind.clear();
  return found->second.error;
}

cudaError_t NestedLaunches::take_error(unsigned thread) {
  const cudaError_t error = peek_error(thread);
  errors_.erase(thread);
  return error;
}

void NestedLaunches::refuse(unsigned thread, Fault told, std::string where) {
  Error& last = errors_[thread];
  last.error = told.error;
  if (last.told.kind.empty()) {
    last.told = std::move(told);
    last.where = std::move(where);
  }
}

void NestedLaunches::tell_unread() {
  for (const auto& [thread, error] : errors_) {
    if (!error.told.kind.empty() && is_new(error.told.sentence)) tell(error.told, error.where);
  }
}

cudaStream_t NestedLaunches::make_stream() {
  const auto handle = reinterpret_cast<cudaStream_t>(kStreamOfBlock + ++g_streams_made);
  streams_.insert(handle);
  return handle;
}

BlockRunner* calling_block() {
  BlockRunner* runner = this_runner();
  return runner && runner->in_kernel() ? runner : nullptr;
}

HeldStop::HeldStop() {
  hold(SIG_BLOCK);
}
HeldStop::~HeldStop() {
  hold(SIG_UNBLOCK);
}
void HeldStop::hold(int how) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, kStopSignal);
  pthread_sigmask(how, &stop, nullptr);
}

cudaError_t queue_child(BlockRunner& block, const std::shared_ptr<Grid>& child, cudaStream_t stream,
                        const std::string& why) {
  Grid& parent = *block.grid();
  const bool tail = stream == cudaStreamTailLaunch;
  child->is_child = true;
  child->begun = parent.begun;
  child->depth = tail ? parent.depth : parent.depth + 1;
  if (!knows_stream(block, stream)) {
    refuse_child(
        block, *child,
        {cudaErrorInvalidResourceHandle, "its stream is none that this block has made", ""});
    return cudaErrorInvalidResourceHandle;
  }
  const uint64_t number = block_number(block.block(), parent.blocks_dim);
  std::unique_lock lock(parent.mutex);
  const Refusal refusal = refusal_of(*child, parent.children.size(), why);
  if (refusal.error == cudaSuccess) {
    // What follows a parent's tail is what follows the parent.
    child->birth = tail          ? parent.birth
                   : check_hooks ? check_hooks->child_queued(parent, *child, stream)
                                 : nullptr;
    parent.children.push_back({child, number, tail});
    return cudaSuccess;
  }
  lock.unlock();
  refuse_child(block, *child, refusal);
  return refusal.error;
}

namespace {

// The child's only thread. In check mode it reads and writes like a kernel's.
void move_rows(const void* arguments) {
  const RowsInKernel& rows = *static_cast<const RowsInKernel*>(arguments);
  constexpr size_t kMost = size_t{1} << 30;  // an AsyncCopy counts in 32 bits
  for (size_t row = 0; row < rows.rows; ++row) {
    for (size_t begin = 0; begin < rows.width; begin += kMost) {
      const auto bytes = static_cast<unsigned>(std::min(rows.width - begin, kMost));
      char* const to = rows.to + row * rows.to_pitch + begin;
      const char* const from =
          rows.from == nullptr ? to : rows.from + row * rows.from_pitch + begin;
      const bool sets = rows.from == nullptr;
      if (check_hooks) {
        const AsyncCopy copy{to, from, sets ? 0 : bytes, sets ? bytes : 0, 1, rows.pc};
        check_hooks->async_copy_begins(copy);
        check_hooks->async_copy_ends(copy);
      }
      if (sets) {
        std::memset(to, rows.value, bytes);
      } else {
        std::memmove(to, from, bytes);
      }
    }
  }
}

}  // namespace

cudaError_t queue_rows(const char* call, const RowsInKernel& rows, cudaStream_t stream) {
  static const size_t kPointers[] = {offsetof(RowsInKernel, to), offsetof(RowsInKernel, from)};
  static const unsigned char kPointerAt[] = {1, 2};
  ConvkitSimtKernel kernel{};
  kernel.invoke = move_rows;
  kernel.arguments = &rows;
  kernel.arguments_bytes = sizeof rows;
  kernel.name = call;
  kernel.pointers = kPointers;
  kernel.pointer_at = kPointerAt;
  kernel.pointer_count = 2;
  const ConvkitSimtLaunch launch{{1, 1, 1}, {1, 1, 1}, 0, stream, nullptr, 0, 0, 0};
  return convkit_simt_launch(&kernel, &launch);
}

cudaError_t allocate_in_kernel(void** pointer, size_t bytes) {
  const HeldStop held;
  *pointer = std::malloc(bytes);
  if (*pointer == nullptr) return cudaErrorMemoryAllocation;
  if (check_hooks && check_hooks->heap_taken) check_hooks->heap_taken(*pointer, bytes);
  return cudaSuccess;
}

cudaError_t free_in_kernel(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  // The host's, which only the host frees.
  if (in_device_range(pointer)) return cudaErrorInvalidValue;
  const HeldStop held;
  if (check_hooks && check_hooks->heap_left) check_hooks->heap_left(pointer);
  std::free(pointer);
  return cudaSuccess;
}

void take_children(Grid& grid, std::vector<std::shared_ptr<Grid>>& waiting) {
  std::vector<Child> children = std::move(grid.children);
  const auto order = [](const Child& child) { return std::pair(child.tail, child.block); };
  std::stable_sort(children.begin(), children.end(),
                   [&](const Child& one, const Child& other) { return order(one) < order(other); });
  for (auto child = children.rbegin(); child != children.rend(); ++child) {
    waiting.push_back(std::move(child->grid));
  }
}

void refuse_in_kernel() {
  BlockRunner* block = calling_block();
  if (!block) return;
  Fault fault;
  fault.error = cudaErrorNotSupported;
  fault.kind = "host_call_in_kernel";
  fault.sentence = "the kernel called a function of the CUDA runtime that only host code can call.";
  fault.advice = "docs/cpu-device.md lists those that kernels can call.";
  block->abandon(std::move(fault));
}

size_t pending_launch_limit() {
  return g_pending_limit;
}
void set_pending_launch_limit(size_t limit) {
  g_pending_limit = limit;
}

}  // namespace convkit::simt

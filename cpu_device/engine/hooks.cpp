// SPDX-License-Identifier: MIT
#include "cpu_device/engine/hooks.h"

#include <algorithm>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/context.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/queue.h"
#include "simt/builtin_variables.h"

namespace convkit::simt {

const CheckHooks* check_hooks = nullptr;

const unsigned* running_thread() {
  return this_runner()->thread_address();
}

std::string place_of_running_thread() {
  return this_runner()->place();
}

uint3 thread_index(unsigned thread) {
  return this_runner()->thread_index(thread);
}

void running_thread_polls() {
  this_runner()->polls();
}

void stop_kernel(Fault fault, std::string where) {
  BlockRunner& runner = *this_runner();
  runner.grid()->fail(std::move(fault), std::move(where));
  runner.abandon({});  // the launch keeps its first fault
}

BarrierSite opening_barrier() {
  const auto [file, line] = this_runner()->barrier_site();
  return {file, line};
}

BlockThreads threads_at_barrier() {
  return this_runner()->threads();
}

bool is_thread_stack(const void* address) {
  const BlockRunner* runner = this_runner();
  return runner && runner->in_stacks(address);
}

bool is_builtin_variable(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (const void* variable : builtin_variables()) {
    if (at - reinterpret_cast<uintptr_t>(variable) < sizeof(uint3)) return true;
  }
  return false;
}

std::array<const void*, 4> builtin_variables() {
  return {&threadIdx, &blockIdx, &blockDim, &gridDim};
}

std::vector<SharedRange> static_shared_memory() {
  return static_shared_ranges();
}

unsigned char* dynamic_shared_memory() {
  return dynamic_shared();
}

unsigned device_code_generation() {
  return shared_generation();
}

bool is_device_address(const void* address) {
  return in_device_range(address);
}

std::optional<Allocation> allocation_at(const void* address, size_t slack) {
  return find_allocation(address, slack);
}

std::vector<Allocation> leaked_allocations() {
  std::vector<Allocation> leaks;
  for_each_leak([](const Allocation& leak,
                   void* list) { static_cast<std::vector<Allocation>*>(list)->push_back(leak); },
                &leaks);
  return leaks;
}

std::shared_ptr<void> open_device_memory() {
  return std::make_shared<Gate>();
}

std::vector<Unjoined> unjoined_tasks() {
  const std::lock_guard lock(queue().mutex);
  return queue().unjoined_tasks();
}

std::shared_ptr<const Task> host_task() {
  const std::lock_guard lock(queue().mutex);
  return queue().host_task();
}

void run_unwaited_launches() {
  const std::lock_guard lock(queue().mutex);
  const auto is_launch = [](const Unjoined& work) { return work.task && work.task->is_launch; };
  const bool only_launches = queue().pending() == queue().pending_work() &&
                             std::ranges::all_of(queue().unjoined_tasks(), is_launch);
  if (only_launches) queue().run_unjoined();
}

std::shared_ptr<const Task> running_task() {
  return queue().running_task();
}

std::optional<uint64_t> stream_number(cudaStream_t handle) {
  const std::lock_guard lock(queue().mutex);
  const CUstream_st* stream = queue().resolve(handle);
  if (!stream) return std::nullopt;
  return stream->origin->number;
}

bool device_has_failed() {
  return sticky_error() != cudaSuccess;
}

void write_report(const Fault& fault, const std::string& where) {
  tell(fault, where);
}

std::string file_and_line(const char* file, int line) {
  return site_text(file, line);
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Check mode begins when the library is loaded: the engine is told where to report.
#include <algorithm>

#include "cpu_device/check/async_copies.h"
#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/count_accesses.h"
#include "cpu_device/check/device_heap.h"
#include "cpu_device/check/early_returns.h"
#include "cpu_device/check/grid_family.h"
#include "cpu_device/check/host_access.h"
#include "cpu_device/check/host_memory.h"
#include "cpu_device/check/launch_errors.h"
#include "cpu_device/check/library_memory.h"
#include "cpu_device/check/memory_log.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/origin.h"
#include "cpu_device/check/phases.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/source_lines.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/check/textures.h"
#include "cpu_device/check/updates.h"
#include "cpu_device/check/written.h"
#include "cpu_device/engine/hooks.h"
#include "simt/counts.h"

namespace convkit::simt::check {
namespace {

void kernel_begins(const Grid& grid) {
  look_at_watched();
  know_launch(reinterpret_cast<uintptr_t>(grid.arguments.data()), grid.arguments.size(),
              grid.shared_bytes);
  present.counting = convkit_simt_counts_accesses();
  present.poison = grid.poison;
  begin_launch(running_thread(), grid.resident != nullptr);
  order_launch(grid);
}

void kernel_ends(const Grid& grid) {
  convkit_simt_count_accesses(access_counts.loads, access_counts.stores);
  convkit_simt_count_shared_accesses(access_counts.shared_loads, access_counts.shared_stores);
  access_counts.loads = access_counts.stores = 0;
  access_counts.shared_loads = access_counts.shared_stores = 0;
  settle_suspects();
  settle_updates();
  settle_reads();
  if (!grid.failed) report_all_unwritten();
  end_launch();
  kernel_left_watched();
  forget(reinterpret_cast<uintptr_t>(grid.arguments.data()), grid.arguments.size());
}

// The blocks of a cooperative launch have an OS thread each.
void follow() {
  if (present.os_thread == this_os_thread()) return;
  follow_worker(running_thread());
  know_shared_memory();
}

void block_begins(uint3 index) {
  follow();
  forget_async_copies();
  begin_block(index);
  block_has_begun();
  forget_passed_barriers();
  block_met({});
}

void block_ends() {
  settle_suspects();
  settle_updates();
  report_unwritten_shared();
  block_is_over();
}

void barrier_opens() {
  settle_suspects();
  settle_updates();
  report_unwritten_shared();
  open_barrier();
  const BlockThreads threads = threads_at_barrier();
  barrier_passed(threads.all, threads.returned);
  const BarrierSite site = opening_barrier();
  if (!present.cooperative) barrier_opens_for(threads, site);
  block_met(site);
}

void block_leaves() {
  settle_suspects();
  settle_updates();
  report_unwritten_shared();
  leave_block();
}

void block_resumes(uint3 index) {
  follow();
  resume_block(index);
}

void warp_meets(unsigned warp, unsigned lanes, unsigned live) {
  warp_met(warp, lanes, (live & ~lanes) == 0);
}

void matrix_begins(const ConvkitMatrixInMemory& matrix, const ConvkitWarpOp& op) {
  const char* const advice =
      "CUDA requires it of wmma, whatever a GPU makes of other addresses. Begin tiles at multiples "
      "of 256 bits (__align__(32) for shared arrays); strides are multiples of 16 bytes, which are "
      "8 halves or 4 floats.";
  const SourceLine line{op.file, op.line};
  const auto at = reinterpret_cast<uintptr_t>(matrix.address);
  if (at % op.detail != 0) stop_misaligned(at, "matrix of wmma", op.detail, line, advice);
  const uintptr_t second = at + uintptr_t{matrix.stride} * op.size;
  const unsigned apart = std::min(op.detail, 16u);
  if (second % apart == 0) return;
  stop_misaligned(second,
                  matrix.by_columns ? "column of a matrix of wmma" : "row of a matrix of wmma",
                  apart, line, advice);
}

void fault_at(Fault& fault, uintptr_t pc) {
  // The instruction itself, not the one after a call.
  const SourceLine line = line_of(pc + 1);
  if (line.file.empty()) return;
  if (!fault.sentence.empty()) fault.sentence.pop_back();
  fault.sentence += " at " + line.text() + ".";
  const std::string quote = line.quoted();
  if (!quote.empty()) fault.sentence += "\n    " + quote;
}

std::string line_of_call(const void* call_site) {
  const SourceLine line = static_cast<const CallSite*>(call_site)->line();
  return line.file.empty() ? "" : line.text();
}

void allocated(const Allocation& allocation) {
  know_device_range();
  const DeviceRange range = device_range();
  access_counts.device_begin = reinterpret_cast<uintptr_t>(range.begin);
  access_counts.device_bytes = range.bytes;
  allocation_made(allocation);
}

constexpr CheckHooks kHooks = {
    .kernel_begins = kernel_begins,
    .kernel_ends = kernel_ends,
    .block_begins = block_begins,
    .block_ends = block_ends,
    .barrier_opens = barrier_opens,
    .block_leaves = block_leaves,
    .block_resumes = block_resumes,
    .grid_meets = meet_grid,
    .phase_arrival = phase_arrival,
    .phase_passed = phase_passed,
    .warp_meets = warp_meets,
    .absent_lane = note_absent_lane,
    .fence = fenced,
    .atomic_begins = atomic_begins,
    .child_queued = child_queued,
    .async_copy_begins = async_copy_begins,
    .async_copy_ends = async_copy_ends,
    .heap_taken = heap_taken,
    .heap_left = heap_left,
    .matrix_begins = matrix_begins,
    .texel_read = texel_was_read,
    .fetch_beyond = fetched_beyond,
    .fault_at = fault_at,
    .managed_variables = know_managed_variables,
    .allocated = allocated,
    .freed = allocation_freed,
    .will_be_freed = allocation_will_be_freed,
    .free_refused = free_was_refused,
    .call_site = current_call_site,
    .copied = rows_copied,
    .host_room = host_room,
    .call_refused = call_was_refused,
    .launch_refused = launch_was_refused,
    .errors_read = errors_were_read,
    .device_reset = device_was_reset,
    .told = report_was_told,
    .library_uses = library_uses,
    .library_overlaps = library_overlaps,
    .library_fault = library_fault,
    .allocation_remark = allocation_remark,
    .line_of_call = line_of_call,
};

__attribute__((constructor)) void listen() {
  check_hooks = &kHooks;
  watch_exit();
}

}  // namespace
}  // namespace convkit::simt::check

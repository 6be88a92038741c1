// SPDX-License-Identifier: MIT
#include "cpu_device/check/memory_log.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "cpu_device/check/host_access.h"
#include "cpu_device/check/launch_errors.h"
#include "cpu_device/check/library_memory.h"
#include "cpu_device/check/origin.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/source_lines.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/check/written.h"
#include "cpu_device/engine/texture_object.h"

namespace convkit::simt::check {
namespace {

struct Sites {
  CallSite made;
  CallSite freed;
  std::optional<CallSite> freeing;  // cudaFreeAsync was called here; its stream may not be so far
  bool reset = false;               // gone with cudaDeviceReset()
  bool old = false;                 // forget_leaks()
};

std::unordered_map<uint64_t, Sites>& sites() {
  static auto* const by_number = new std::unordered_map<uint64_t, Sites>;
  return *by_number;
}

void forget_all(const Allocation& allocation) {
  const auto begin = reinterpret_cast<uintptr_t>(allocation.begin);
  forget(begin, allocation.bytes);
  forget_written(begin, allocation.bytes);
  forget_origin(begin, allocation.bytes);
}

bool any_written(const CopiedRows& rows) {
  const auto begin = reinterpret_cast<uintptr_t>(rows.from);
  for (size_t row = 0; row < rows.height; ++row) {
    const uintptr_t first = begin + row * rows.from_pitch, last = first + rows.width;
    for (uintptr_t at = first & ~uintptr_t{3}; at < last; at += 4) {
      const Cell* cell = cell_of(at);
      if (cell != nullptr && cell->write > kUnwritten) return true;
      if (is_written(std::max(at, first))) return true;
    }
  }
  return false;
}

void use_rows(const CopiedRows& rows) {
  const auto use = [&](const void* begin, size_t pitch, bool writes) {
    const auto first = reinterpret_cast<uintptr_t>(begin);
    const bool one = pitch == rows.width;
    const size_t count = first == 0 ? 0 : one ? 1 : rows.height;
    for (size_t row = 0; row < count; ++row) {
      use_in_stream(first + row * pitch, one ? rows.width * rows.height : rows.width, writes);
    }
  };
  use(rows.from, rows.from_pitch, false);
  use(rows.to, rows.to_pitch, true);
}

void report_empty_copy(const CopiedRows& rows, const void* call_site) {
  const auto from = reinterpret_cast<uintptr_t>(rows.from);
  Report report;
  report.kind = "uninitialised_global";
  report.lines = {static_cast<const CallSite*>(call_site)->line()};
  report.sentence = "the copy at " + report.lines[0].text() + " brings " +
                    std::to_string(rows.width * rows.height) + " bytes from " +
                    describe(name_place(from), from, rows.width * rows.height) +
                    " to the host, and none of them has ever been written.";
  const std::string refused = unread_launch_error();
  report.advice = refused.empty() ? "Did the kernel run before the copy? Look at the launch's "
                                    "error, and at the streams of both."
                                  : refused;
  tell(report);
}

}  // namespace

std::string allocation_remark(const Allocation& allocation) {
  const auto found = sites().find(allocation.number);
  if (found == sites().end()) return "";
  const SourceLine made = found->second.made.line(), freed = found->second.freed.line();
  std::string remark;
  if (!made.file.empty()) remark += ", made at " + made.text();
  if (!freed.file.empty()) remark += ", freed at " + freed.text();
  return remark;
}

void allocation_made(const Allocation& allocation) {
  know_pinned(allocation);
  sites()[allocation.number].made = calling_host_code();
  forget_all(allocation);
  know_allocation(allocation);
}

void allocation_freed(const Allocation& allocation) {
  forget_pinned(allocation);
  host_reads_all(allocation);
  free_in_stream(allocation);
  Sites& known = sites()[allocation.number];
  known.freed = known.freeing ? *known.freeing : calling_host_code();
  forget_all(allocation);
}

void allocation_will_be_freed(const Allocation& allocation) {
  std::optional<CallSite>& freeing = sites()[allocation.number].freeing;
  if (!freeing) freeing = calling_host_code();
}

void free_was_refused(void* pointer) {
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  const auto allocation = allocation_at(pointer, 0);
  const bool twice = allocation && allocation->freed && allocation->begin == pointer;
  Report report;
  report.kind = twice ? "double_free" : "bad_free";
  report.lines = {calling_host_code().line()};
  const std::string call = "the call at " + report.lines[0].text() + " frees ";
  const std::string what = allocation ? named_part(*allocation).name + " (" +
                                            std::to_string(allocation->bytes) + " bytes" +
                                            allocation_remark(*allocation) + ")"
                                      : "";
  if (twice) {
    report.sentence = call + what + " a second time.";
    report.advice = "Free each allocation once; then set the pointer to nullptr.";
  } else if (allocation && allocation->begin != pointer) {
    report.sentence = call + "byte " +
                      std::to_string(at - reinterpret_cast<uintptr_t>(allocation->begin)) + " of " +
                      what + ", which is not its beginning.";
    report.advice = "Free the pointer that cudaMalloc gave.";
  } else if (allocation) {
    report.sentence = call + what + " with the wrong function.";
    report.advice =
        "Memory of cudaMalloc goes to cudaFree, memory of cudaMallocHost to cudaFreeHost.";
  } else {
    report.sentence = call + "memory that CUDA did not allocate.";
    report.advice = "Pass only pointers from cudaMalloc to cudaFree.";
  }
  tell(report);
}

std::shared_ptr<void> current_call_site() {
  return std::make_shared<CallSite>(calling_host_code());
}

void rows_copied(const CopiedRows& rows, const void* call_site) {
  const auto allocation = rows.from != nullptr && is_device_address(rows.from)
                              ? allocation_at(rows.from, 0)
                              : std::nullopt;
  if (call_site != nullptr && allocation && allocation->kind == MemoryKind::device &&
      !is_device_address(rows.to) && !any_written(rows)) {
    report_empty_copy(rows, call_site);
  }
  use_rows(rows);
  note_origins(rows);
  if (!is_device_address(rows.to)) return;
  const auto to = reinterpret_cast<uintptr_t>(rows.to);
  if (rows.to_pitch == rows.width) {
    mark_written(to, rows.width * rows.height);
  } else {
    for (size_t row = 0; row < rows.height; ++row)
      mark_written(to + row * rows.to_pitch, rows.width);
  }
}

void device_was_reset() {
  for (auto& entry : sites()) entry.second.reset = true;
}

void forget_leaks() {
  forget_texture_objects();
  for (auto& entry : sites()) entry.second.old = true;
}

void report_leaks() {
  for (const Allocation& leak : leaked_allocations()) {
    const auto found = sites().find(leak.number);
    if (found == sites().end() || found->second.reset || found->second.old) continue;
    if (found->second.freeing) continue;
    Report report;
    report.kind = "leak";
    report.lines = {found->second.made.line()};
    report.sentence = (leak.is_array ? "CUDA array " : "allocation ") +
                      std::to_string(leak.number) + " (" + std::to_string(leak.bytes) +
                      " bytes), made at " + report.lines[0].text() + ", was never freed.";
    report.advice = leak.is_array                     ? "Free it with cudaFreeArray()."
                    : leak.kind == MemoryKind::pinned ? "Free it with cudaFreeHost()."
                                                      : "Free it with cudaFree().";
    tell(report);
  }
  report_texture_leaks();
}

}  // namespace convkit::simt::check

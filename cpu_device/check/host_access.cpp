// SPDX-License-Identifier: MIT
#include "cpu_device/check/host_access.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cpu_device/check/address_ranges.h"
#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

uintptr_t g_begin = 0, g_bytes = 0;

// Memory of both sides outside the range of device memory: what is pinned, and `__managed__`
// variables.
AddressRanges& both_sides() {
  static auto* const ranges = new AddressRanges;
  return *ranges;
}
// Around all that was ever among it, so that little is looked up.
uintptr_t g_both_begin = ~uintptr_t{0}, g_both_end = 0;

void add_to_both_sides(const void* memory, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  both_sides().add(begin, bytes);
  g_both_begin = std::min(g_both_begin, begin);
  g_both_end = std::max(g_both_end, begin + bytes);
}

// On a GPU the program would end here with a segmentation fault.
[[noreturn]] void stop_program(const Access& access) {
  Report report;
  report.kind = "device_pointer_on_host";
  report.lines = {line_of(access.pc)};
  report.sentence = std::string("host code ") + (access.use & kWrite ? "writes" : "reads") +
                    " device memory at " + report.lines[0].text() + ": " +
                    describe(name_place(access.at), access.at, access.size) + ".";
  report.advice = "Copy it with cudaMemcpy first, or use cudaMallocManaged.";
  tell(report);
  std::fflush(nullptr);
  _exit(1);
}

}  // namespace

void know_device_range() {
  if (g_bytes != 0) return;
  const DeviceRange range = device_range();
  g_begin = reinterpret_cast<uintptr_t>(range.begin);
  g_bytes = range.bytes;
}

void know_pinned(const Allocation& allocation) {
  if (allocation.kind != MemoryKind::pinned || allocation.bytes == 0) return;
  add_to_both_sides(allocation.begin, allocation.bytes);
}

void forget_pinned(const Allocation& allocation) {
  if (allocation.kind != MemoryKind::pinned || allocation.bytes == 0) return;
  both_sides().remove(reinterpret_cast<uintptr_t>(allocation.begin), allocation.bytes);
}

bool know_managed_variables(void* begin, size_t bytes) {
  add_to_both_sides(begin, bytes);
  const auto first = reinterpret_cast<uintptr_t>(begin);
  const LoadedObject object = loaded_object_at(first);
  bool any = false;
  for (const Variable& variable : variables_of(object).data) {
    const uintptr_t at = object.base + variable.begin;
    if (at - first >= bytes) continue;
    register_managed(reinterpret_cast<void*>(at), variable.bytes, "`" + variable.name() + "`");
    any = true;
  }
  return any;
}

void judge_host_access(const Access& access) {
  // What is volatile or atomic waits for the device in its own way.
  const bool waits = access.use & (kVolatileUse | kAtomicUse);
  if (access.at - g_begin >= g_bytes) {
    const bool near = access.at >= g_both_begin && access.at < g_both_end;
    if (near && !waits && both_sides().contains(access.at)) use_by_host(access);
    return;
  }
  const auto allocation = allocation_at(reinterpret_cast<const void*>(access.at), 0);
  if (allocation && !allocation->freed && allocation->kind != MemoryKind::device) {
    if (!waits) use_by_host(access);
    return;
  }
  stop_program(access);
}

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
#include "cpu_device/check/host_access.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cpu_device/check/address_ranges.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

uintptr_t g_begin = 0, g_bytes = 0;

AddressRanges& pinned() {
  static auto* const ranges = new AddressRanges;
  return *ranges;
}
// Around all that was ever pinned, so that little is looked up.
uintptr_t g_pinned_begin = ~uintptr_t{0}, g_pinned_end = 0;

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
  const auto begin = reinterpret_cast<uintptr_t>(allocation.begin);
  pinned().add(begin, allocation.bytes);
  g_pinned_begin = std::min(g_pinned_begin, begin);
  g_pinned_end = std::max(g_pinned_end, begin + allocation.bytes);
}

void forget_pinned(const Allocation& allocation) {
  if (allocation.kind != MemoryKind::pinned || allocation.bytes == 0) return;
  pinned().remove(reinterpret_cast<uintptr_t>(allocation.begin), allocation.bytes);
}

void judge_host_access(const Access& access) {
  // What is volatile or atomic waits for the device in its own way.
  const bool waits = access.use & (kVolatileUse | kAtomicUse);
  if (access.at - g_begin >= g_bytes) {
    const bool near = access.at >= g_pinned_begin && access.at < g_pinned_end;
    if (near && !waits && pinned().contains(access.at)) use_by_host(access);
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

// SPDX-License-Identifier: MIT
#include "cpu_device/check/host_access.h"

#include <unistd.h>

#include <cstdio>

#include "cpu_device/check/places.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

uintptr_t g_begin = 0, g_bytes = 0;

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

void judge_host_access(const Access& access) {
  if (access.at - g_begin >= g_bytes) return;
  const auto allocation = allocation_at(reinterpret_cast<const void*>(access.at), 0);
  if (allocation && !allocation->freed && allocation->kind != MemoryKind::device) return;
  stop_program(access);
}

}  // namespace convkit::simt::check

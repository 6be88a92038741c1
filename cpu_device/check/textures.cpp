// SPDX-License-Identifier: MIT
#include "cpu_device/check/textures.h"

#include <string>

#include "cpu_device/check/count_accesses.h"
#include "cpu_device/check/judge.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/source_lines.h"

namespace convkit::simt::check {
namespace {

// CUDA C++ Programming Guide, "Texture and Surface Memory": the cache is not kept coherent with
// writes of the same kernel, and what a fetch gives of them is undefined, for the thread that
// wrote, too.
void report_stale(uintptr_t at, size_t bytes, Stamp write, uintptr_t pc) {
  Report report;
  report.kind = "stale_texture";
  report.lines = {line_of(pc), line_of_stamp(write, pc)};
  report.where = running_place();
  report.sentence = thread_text(*present.thread) + " reads " + describe(name_place(at), at, bytes) +
                    " through a texture at " + report.lines[0].text() +
                    ", and it was written in the same launch at " + report.lines[1].text() + ".";
  report.advice =
      "The cache of textures does not see writes of the same kernel: read in the next launch, or "
      "read through the surface or the pointer.";
  tell(report);
}

}  // namespace

void texel_was_read(const void* texel, size_t bytes, uintptr_t pc) {
  const auto at = reinterpret_cast<uintptr_t>(texel);
  count_access(at, false);
  judge({at, bytes, kRead, pc});
  const Stamp write = last_write(at);
  const bool in_launch = (write & kEventMask) >= present.launch_floor && is_of_kernel(write);
  if (in_launch) report_stale(at, bytes, write, pc);
}

void fetched_beyond(const void* memory, int64_t index, int64_t count, uintptr_t pc) {
  const Place place = name_place(reinterpret_cast<uintptr_t>(memory));
  Report report;
  report.kind = "out_of_bounds_texture";
  report.lines = {line_of(pc)};
  report.where = running_place();
  report.sentence = thread_text(*present.thread) + " fetches element " + std::to_string(index) +
                    " of a texture of " + std::to_string(count) + " elements at " +
                    report.lines[0].text() + ", in " + place.name + ".";
  report.advice =
      "The fetch gives 0. Compare the index with the size, and the texture's sizeInBytes with what "
      "was allocated.";
  tell(report);
}

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
#include "cpu_device/check/bad_access.h"

#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/tensors.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

struct Words {
  const char* kind;
  const char* advice;
};

Words words_for(Region region) {
  switch (region) {
    case Region::freed:
      return {"use_after_free", "The memory was freed before the kernel ran."};
    case Region::beside_shared:
      return {"out_of_bounds_shared",
              "Compare the index with the array's size, and the launch's third argument with what "
              "the kernel needs."};
    case Region::null:
      return {"null_pointer", "Was the memory allocated, and was cudaMalloc's error checked?"};
    case Region::host:
      return {"host_pointer_in_kernel",
              "Allocate device memory with cudaMalloc and copy the data with cudaMemcpy; pointers "
              "inside structures, too."};
    case Region::nowhere:
      return {"out_of_bounds_global",
              "Check the pointer that the kernel was given, and the index."};
    default:
      return {"out_of_bounds_global", "Compare the index with the array's size before using it."};
  }
}

const char* verb(unsigned use) {
  return use & kAtomicUse ? "changes" : use & kWrite ? "writes" : "reads";
}

std::string bytes(size_t size) {
  return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

// "index 1000 of an array of 1000"
std::string index_text(const Access& access, const Place& place) {
  if (access.size < 2 || place.begin == 0 || place.bytes < access.size) return "";
  const auto offset = static_cast<int64_t>(access.at - place.begin);
  const auto size = static_cast<int64_t>(access.size);
  if (offset % size != 0 || (offset >= 0 && access.at + access.size <= place.begin + place.bytes)) {
    return "";
  }
  std::string text = ": as elements of " + bytes(access.size) + ", it has " +
                     std::to_string(place.bytes / access.size) + ", and this is index " +
                     std::to_string(offset / size);
  if (!place.dims.empty() && access.size == place.element_bytes && offset >= 0) {
    text += ", " + coordinates(place.name, place.dims, offset / size) +
            beyond_dimension(place.name, place.dims);
  }
  return text;
}

// As many bytes as there are to be elements: the index would fit, and the kernel knows the number.
bool is_counted_in_elements(const Access& access, const Place& place) {
  const bool is_device = place.region == Region::device || place.region == Region::no_allocation;
  if (!is_device || place.begin == 0 || !place.dims.empty() || access.size < 2) return false;
  const auto offset = static_cast<int64_t>(access.at - place.begin);
  const int64_t index = offset / static_cast<int64_t>(access.size);
  return offset >= 0 && index < static_cast<int64_t>(place.bytes) &&
         is_launch_argument(place.bytes);
}

}  // namespace

void stop_outside(const Access& access, uintptr_t at, const Place& place) {
  const Words words = words_for(place.region);
  Report report;
  report.kind = words.kind;
  report.advice = words.advice;
  report.lines = {line_of(access.pc)};
  report.where = running_place();
  report.sentence = thread_text(*present.thread) + " " + verb(access.use) + " " +
                    bytes(access.size) + " at " + report.lines[0].text();
  switch (place.region) {
    case Region::null:
      report.sentence += " through a null pointer.";
      break;
    case Region::host:
      report.sentence += " in ordinary host memory, which a kernel cannot use.";
      break;
    case Region::freed:
      report.sentence += ", " + describe(place, at, access.size) + ".";
      break;
    default:
      report.sentence += place.begin == 0 ? ", where no memory is allocated."
                                          : ", " + describe(place, at, access.size) +
                                                index_text(access, place) + ".";
  }
  if (is_counted_in_elements(access, place)) {
    report.advice = "The allocation has " + bytes(place.bytes) + ", and the kernel was given the " +
                    "number " + std::to_string(place.bytes) + ": cudaMalloc takes bytes, so " +
                    "multiply the number of elements by their size, n * sizeof(float).";
    stop_with(report, cudaErrorIllegalAddress);
  }
  const BlockAt block = block_at(event_of(present.block_floor));
  if (report.kind == std::string("out_of_bounds_global") && block.known) {
    report.advice = beyond_outputs(block.index, thread_index(*present.thread)) + report.advice;
  }
  stop_with(report, cudaErrorIllegalAddress);
}

void stop_misaligned(uintptr_t at, const std::string& type, size_t alignment,
                     const SourceLine& line, const char* advice) {
  Report report;
  report.kind = "misaligned";
  report.lines = {line};
  report.where = running_place();
  report.sentence = thread_text(*present.thread) + " accesses a " + type + " at " + line.text() +
                    ", " + describe(name_place(at), at, 1) + ": the address is not a multiple of " +
                    std::to_string(alignment) + ".";
  report.advice = advice;
  stop_with(report, cudaErrorMisalignedAddress);
}

}  // namespace convkit::simt::check

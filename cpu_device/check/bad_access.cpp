// SPDX-License-Identifier: MIT
#include "cpu_device/check/bad_access.h"

#include <algorithm>
#include <vector>

#include "cpu_device/check/coverage.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
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
            column_too_far(place.name, place.dims, offset / size) +
            beyond_dimension(place.name, place.dims);
  }
  return text;
}

bool is_an_output(const Place& place) {
  const auto outputs = named_outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&](const NamedPart& output) {
    return reinterpret_cast<uintptr_t>(output.begin) == place.begin;
  });
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

bool is_dynamic_shared(const Place& place) {
  return place.begin == reinterpret_cast<uintptr_t>(dynamic_shared_memory());
}

// Of dynamic shared memory: an index that would fit if the launch's third argument counted
// elements, and is so large that it is no slip by one.
bool is_launch_counted_in_elements(const Access& access, const Place& place) {
  if (place.region != Region::beside_shared || !is_dynamic_shared(place)) return false;
  if (access.size < 2 || access.at < place.begin) return false;
  const size_t count = place.bytes / access.size, index = (access.at - place.begin) / access.size;
  return count > 0 && index < place.bytes && (index >= 2 * count || index % count == 0);
}

// Of a write just behind the end by a thread that has written the last element, too.
std::string beyond_end(const Place& place) {
  if (place.dims.empty() || place.element_bytes < sizeof(float)) return "";
  for (const EndOfAxis& end : ends_before(
           place.name, place.dims, static_cast<int64_t>(place.bytes / place.element_bytes))) {
    const Stamp write =
        last_write(place.begin + static_cast<size_t>(end.element) * place.element_bytes);
    if (thread_of(write) != *present.thread || !is_of_running_block(write & kEventMask)) continue;
    return beyond_end_text("The thread", place.name, place.dims, end);
  }
  return "";
}

std::string advice_on_shared(const Access& access, const Place& place) {
  if (is_launch_counted_in_elements(access, place)) {
    return "The launch's third argument counts bytes: if " + std::to_string(place.bytes) +
           " is a number of elements, multiply it by their size, n * sizeof(float). ";
  }
  const uint3 threads = threads_of_block();
  const auto element = static_cast<int64_t>((access.at - place.begin) / access.size);
  const bool as_many = place.begin != 0 && access.at >= place.begin &&
                       place.bytes == size_t{threads.x} * threads.y * access.size;
  if (as_many && is_in_rows_of_block_height(element, threads, thread_index(*present.thread))) {
    return exchanged_sizes(threads);
  }
  return "";
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
  const bool computes_nothing = (access.use & kWrite) ? is_an_output(place) : !block_wrote_shared();
  if (report.kind == std::string("out_of_bounds_global") && block.known && computes_nothing) {
    const auto element = static_cast<int64_t>((access.at - place.begin) / access.size);
    const std::string beyond = beyond_outputs(block.index, thread_index(*present.thread), element);
    const bool is_behind = (access.use & kWrite) && access.at == place.begin + place.bytes;
    report.advice = (beyond.empty() && is_behind ? beyond_end(place) : beyond) + report.advice;
  }
  if (report.kind == std::string("out_of_bounds_shared")) {
    if (!is_dynamic_shared(place)) report.advice = "Compare the index with the array's size.";
    report.advice = advice_on_shared(access, place) + report.advice;
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

namespace {

// Between the announcement and the access, other parts of the same expression may be evaluated.
constexpr unsigned kPatience = 32;

struct Expected {
  int64_t index;
  uint64_t count;
  unsigned thread;
  unsigned waited = 0;
};
std::vector<Expected> g_expected;

bool inside_one_array(const Access& access, int64_t index) {
  const uintptr_t first = access.at - static_cast<uintptr_t>(index) * access.size;
  const Place place = find_place(first);
  return (place.region == Region::static_shared || place.region == Region::program) &&
         place.holds(first) && place.holds(access.at);
}

}  // namespace

void expect_overrun(int64_t index, uint64_t count) {
  g_expected.push_back({index, count, *present.thread});
  look_closely(kForOverruns, true);
}

void look_for_overrun(const Access& access) {
  for (Expected& expected : g_expected) {
    ++expected.waited;
    if (expected.thread != *present.thread) {
      expected.waited = kPatience;
    } else if (inside_one_array(access, expected.index)) {
      expected.waited = kPatience;
    } else if (find_place(access.at).region != Region::device) {  // which may lie next to an array
      const Place place = array_overrun(access.at, expected.index, expected.count);
      if (place.name.empty() || place.holds(access.at)) continue;
      g_expected.clear();
      look_closely(kForOverruns, false);
      stop_outside(access, access.at, place);
    }
  }
  g_expected.erase(std::remove_if(g_expected.begin(), g_expected.end(),
                                  [](const Expected& e) { return e.waited >= kPatience; }),
                   g_expected.end());
  if (g_expected.empty()) look_closely(kForOverruns, false);
}

}  // namespace convkit::simt::check

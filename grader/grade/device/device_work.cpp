// SPDX-License-Identifier: MIT
#include "grade/device/device_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace convkit {
namespace {

// A function may compute a few numbers on the host and copy them.
constexpr uint64_t kFewBytes = 16;
// A result may come from the device in a smaller format.
constexpr uint64_t kSmallest = 4;

std::map<std::string, uint64_t> values_of(const std::string& counts) {
  std::map<std::string, uint64_t> of;
  std::istringstream words(counts);
  std::string name;
  for (uint64_t value = 0; words >> name >> value;) of[name] = value;
  return of;
}

bool holds_zeros(std::span<const std::vector<std::byte>> outputs) {
  return std::ranges::all_of(outputs, [](const std::vector<std::byte>& output) {
    return std::ranges::all_of(output, [](std::byte byte) { return byte == std::byte{0}; });
  });
}

}  // namespace

bool judge_work(const Stage& stage, const std::string& op,
                std::span<const std::vector<std::byte>> outputs, const std::string& counts,
                CaseResult& result) {
  const auto asked_for = [&](const std::vector<std::string>& ops) {
    return std::ranges::find(ops, op) != ops.end();
  };
  // Nothing had to be computed for zeros, and an output may be empty.
  if (holds_zeros(outputs)) return true;
  uint64_t bytes = 0;
  for (const auto& output : outputs) bytes += output.size();
  const auto fail = [&](const char* mistake, const std::string& work, const char* asked,
                        const char* hint) {
    if (work.empty()) return false;
    result.status = Status::wrong;
    result.by_device = true;
    result.mistake = mistake;
    result.message = fmt::format("{} {} {}", op, work, asked);
    result.hint = hint;
    return true;
  };
  if (asked_for(stage.on_device) &&
      fail("no_kernel", work_of_host(counts, bytes), "The task asks that the device computes it.",
           "Launch a kernel that writes the output in device memory, or call a library where the "
           "stage allows one.")) {
    return false;
  }
  return !asked_for(stage.by_library) ||
         !fail("no_library_call", work_without_library(counts),
               "The task asks for the library's computation.",
               "Let a call of the library that the stage links compute the output.");
}

std::string work_of_host(const std::string& counts, uint64_t bytes) {
  std::map<std::string, uint64_t> of = values_of(counts);
  if (!of.contains("launches") || !of.contains("library_calls")) return "";
  const uint64_t on_device = of["output_bytes"], of_host = of["bytes_of_host"];
  const bool idle = of["launches"] == 0 && of["library_calls"] == 0;
  // Without a kernel, an output in device memory may be right by a memset, a copy within the
  // device, or because it was right before.
  if (idle && (on_device == 0 || of_host > 0)) {
    return "launched no kernel and called no library: the host computed the output.";
  }
  if (on_device == 0 && of.contains("bytes_from_device")) {
    const uint64_t brought = of["bytes_from_device"];
    if (brought >= bytes / kSmallest) {
      if (!of.contains("bytes_as_computed")) return "";
      const uint64_t kept = std::min(bytes, of["bytes_as_computed"]);
      if (bytes - kept <= std::max(kFewBytes, bytes / 2)) return "";
      return fmt::format(
          "left {} of the {} bytes of the output as the device had computed them: the host "
          "computed the others.",
          kept, bytes);
    }
    return fmt::format(
        "brought {} bytes from the device that a kernel had written: the host computed the output, "
        "of {} bytes.",
        brought, bytes);
  }
  if (of_host <= std::max(kFewBytes, on_device / 2)) return "";
  return fmt::format("copied {} of the {} bytes of the output from the host, which computed them.",
                     of_host, on_device);
}

std::string work_without_library(const std::string& counts) {
  std::map<std::string, uint64_t> of = values_of(counts);
  if (!of.contains("launches") || !of.contains("library_calls")) return "";
  if (of["library_calls"] > 0) return "";
  const uint64_t launches = of["launches"];
  return launches == 0 ? "launched no kernel and called no library."
                       : fmt::format("launched {} {} and called no library.", launches,
                                     launches == 1 ? "kernel" : "kernels");
}

}  // namespace convkit

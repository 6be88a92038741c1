// SPDX-License-Identifier: MIT
// What the CPU device said on stderr about a fault: a report that begins "convkit: kind: ...".
#pragma once

#include <optional>
#include <string>

namespace convkit {

struct DeviceReport {
  std::string kind;      // "divergent_barrier"
  std::string sentence;  // what happened
  std::string place;     // kernel, block, thread, launch; may be empty
  std::string advice;    // may be empty
};

// The first report in what a runner printed. It stands among the student's own output and is
// believed only for the words of a failure that was seen otherwise.
std::optional<DeviceReport> find_device_report(const std::string& printed);
// The first of them that decides, or nothing.
std::optional<DeviceReport> find_deciding_report(const std::string& printed);

// Whether a report of check mode makes a right result WRONG. Not where a right program can be told
// of it: a vector load may read padding that nobody has written, and not use it; a volatile
// variable in shared memory may be a flag that hands data on behind a fence. What is wrong with
// such a program shows in its output: fresh memory holds NaN, and lanes of a warp run one by one.
bool decides(const std::string& kind);
// Kinds that follow from how slow check mode is and how much stack it takes.
bool may_be_of_check_mode_only(const std::string& kind);

}  // namespace convkit

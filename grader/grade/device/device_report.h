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

}  // namespace convkit

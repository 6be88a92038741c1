// SPDX-License-Identifier: MIT
#include "grade/device/device_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>

#include "grade/device/device_report.h"

namespace convkit {
namespace {

// A function may compute a few numbers on the host and copy them.
constexpr uint64_t kFewBytes = 16;

}  // namespace

std::string work_of_host(const std::string& counts) {
  std::map<std::string, uint64_t> of;
  std::istringstream words(counts);
  std::string name;
  for (uint64_t value = 0; words >> name >> value;) of[name] = value;
  if (!of.contains("launches") || !of.contains("library_calls")) return "";
  const uint64_t bytes = of["output_bytes"], of_host = of["bytes_of_host"];
  const bool idle = of["launches"] == 0 && of["library_calls"] == 0;
  // Without a kernel, an output in device memory may be right by a memset, a copy within the
  // device, or because it was right before.
  if (idle && (bytes == 0 || of_host > 0)) {
    return "launched no kernel and called no library: the host computed the output.";
  }
  if (of_host <= std::max(kFewBytes, bytes / 2)) return "";
  return fmt::format("copied {} of the {} bytes of the output from the host, which computed them.",
                     of_host, bytes);
}

std::string lost_report(const std::string& reports, const std::string& printed) {
  if (find_deciding_report(printed)) return "";
  std::string first;
  std::istringstream kinds(reports);
  for (std::string kind; kinds >> kind;) {
    if (decides(kind)) return kind;
    if (first.empty()) first = kind;
  }
  return find_device_report(printed) ? "" : first;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "grade/device/device_report.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace convkit {
namespace {

constexpr const char* kBegin = "convkit: ";

bool is_kind(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char ch) {
    return std::islower(ch) || ch == '_';
  });
}

}  // namespace

std::optional<DeviceReport> find_device_report(const std::string& printed) {
  std::istringstream lines(printed);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.rfind(kBegin, 0) != 0) continue;
    line.erase(0, std::string(kBegin).size());
    const size_t colon = line.find(": ");
    if (colon == std::string::npos || !is_kind(line.substr(0, colon))) continue;
    DeviceReport report{line.substr(0, colon), line.substr(colon + 2), "", ""};
    while (std::getline(lines, line) && line.rfind("  ", 0) == 0) {
      line.erase(0, 2);
      if (line.rfind("  ", 0) == 0) continue;  // a line of the source, for those who read it all
      if (line.rfind("in ", 0) == 0 && report.place.empty()) {
        report.place = line.substr(3);
      } else {
        report.advice += (report.advice.empty() ? "" : " ") + line;
      }
    }
    return report;
  }
  return std::nullopt;
}

}  // namespace convkit

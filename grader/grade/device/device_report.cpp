// SPDX-License-Identifier: MIT
#include "grade/device/device_report.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace convkit {
namespace {

constexpr const char* kBegin = "convkit: ";

bool is_kind(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char ch) {
    return std::islower(ch) || ch == '_';
  });
}

// What is known of a report that did not arrive.
DeviceReport lost_report(const std::string& kind) {
  return {kind,
          "check mode reported `" + kind +
              "`, and the report did not arrive: standard error was closed, led elsewhere or "
              "flooded.",
          "", "Leave file descriptor 2 as it is, and the report says more."};
}

std::vector<DeviceReport> reports_in(const std::string& printed) {
  std::vector<DeviceReport> reports;
  std::istringstream lines(printed);
  std::string line;
  bool more = static_cast<bool>(std::getline(lines, line));
  while (more) {
    const bool begins = line.rfind(kBegin, 0) == 0;
    if (begins) line.erase(0, std::string(kBegin).size());
    const size_t colon = line.find(": ");
    if (!begins || colon == std::string::npos || !is_kind(line.substr(0, colon))) {
      more = static_cast<bool>(std::getline(lines, line));
      continue;
    }
    DeviceReport report{line.substr(0, colon), line.substr(colon + 2), "", ""};
    while ((more = static_cast<bool>(std::getline(lines, line))) && line.rfind("  ", 0) == 0) {
      line.erase(0, 2);
      if (line.rfind("  ", 0) == 0) continue;  // a line of the source, for those who read it all
      if (line.rfind("in ", 0) == 0 && report.place.empty()) {
        report.place = line.substr(3);
      } else {
        report.advice += (report.advice.empty() ? "" : " ") + line;
      }
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<std::string> kinds_in(const std::string& told) {
  std::istringstream words(told);
  return {std::istream_iterator<std::string>(words), {}};
}

// The first of `accepts` that did arrive.
template <typename Accepts>
std::optional<DeviceReport> find_printed(const std::string& printed, const std::string& told,
                                         Accepts accepts) {
  const std::vector<std::string> kinds = kinds_in(told);
  for (DeviceReport& report : reports_in(printed)) {
    const bool was_told = std::find(kinds.begin(), kinds.end(), report.kind) != kinds.end();
    if (was_told && accepts(report.kind)) return std::move(report);
  }
  return std::nullopt;
}

// Of `accepts`: first what was printed, then what did not arrive.
template <typename Accepts>
std::optional<DeviceReport> find_told(const std::string& printed, const std::string& told,
                                      Accepts accepts) {
  if (auto report = find_printed(printed, told, accepts)) return report;
  const std::vector<std::string> kinds = kinds_in(told);
  const auto lost = std::find_if(kinds.begin(), kinds.end(), accepts);
  if (lost == kinds.end()) return std::nullopt;
  return lost_report(*lost);
}

}  // namespace

std::optional<DeviceReport> find_device_report(const std::string& printed) {
  std::vector<DeviceReport> reports = reports_in(printed);
  if (reports.empty()) return std::nullopt;
  return std::move(reports.front());
}

std::optional<DeviceReport> find_deciding_report(const std::string& printed,
                                                 const std::string& told, const std::string& but) {
  const auto is_wanted = [&](const std::string& kind) { return kind != but && decides(kind); };
  const auto is_another = [&](const std::string& kind) {
    return is_wanted(kind) && kind != kLeakKind;
  };
  // Threads that go round a barrier also race with those that wait there, which is seen first.
  const auto is_of_barrier = [&](const std::string& kind) {
    return is_another(kind) && kind == kDivergentBarrier;
  };
  if (auto report = find_printed(printed, told, is_of_barrier)) return report;
  if (auto report = find_printed(printed, told, is_another)) return report;
  return find_told(printed, told, is_wanted);
}

std::optional<DeviceReport> find_report_told(const std::string& printed, const std::string& told) {
  return find_told(printed, told, [](const std::string&) { return true; });
}

bool is_about_grid(const std::string& kind) {
  return kind == kGridTooSmall || kind == kGridRoundedDown;
}

std::optional<DeviceReport> find_grid_report(const std::string& printed, const std::string& told) {
  return find_printed(printed, told, is_about_grid);
}

std::optional<DeviceReport> find_report_of_returned(const std::string& printed,
                                                    const std::string& told) {
  return find_printed(printed, told,
                      [](const std::string& kind) { return kind == kThreadsReturned; });
}

std::optional<DeviceReport> find_report_of_lane(const std::string& printed,
                                                const std::string& told) {
  return find_printed(printed, told, [](const std::string& kind) { return kind == kAbsentLane; });
}

bool only_explains(const std::string& kind) {
  return is_about_grid(kind) || kind == kThreadsReturned || kind == kAbsentLane;
}

bool decides(const std::string& kind) {
  return kind != "uninitialised_global" && kind != "uninitialised_vector" &&
         kind != "race_volatile" && !only_explains(kind);
}

bool may_be_of_check_mode_only(const std::string& kind) {
  return kind == "endless_kernel" || kind == "stack_overflow";
}

}  // namespace convkit

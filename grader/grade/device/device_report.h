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

// Reports of check mode. `told`: their kinds by the flight record, " race_shared leak ". What was
// printed in the form of a report of another kind are the student's own words. Where a report did
// not arrive, its kind counts all the same, and the sentence says so.
//
// The first report that decides, except those of kind `but`; that of threads at different barriers
// comes before all others, and leaks come last.
inline constexpr const char* kDivergentBarrier = "divergent_barrier";
std::optional<DeviceReport> find_deciding_report(const std::string& printed,
                                                 const std::string& told,
                                                 const std::string& but = "");
// The first report.
std::optional<DeviceReport> find_report_told(const std::string& printed, const std::string& told);

// Kinds that explain an output which is judged without them: a grid does not cover it.
inline constexpr const char* kGridTooSmall = "grid_too_small";
inline constexpr const char* kGridRoundedDown = "grid_rounded_down";
bool is_about_grid(const std::string& kind);
// The first report of such a kind that did arrive.
std::optional<DeviceReport> find_grid_report(const std::string& printed, const std::string& told);
// Threads left a loop with barriers before others of their block: it may explain a wrong output.
inline constexpr const char* kThreadsReturned = "threads_returned";
std::optional<DeviceReport> find_report_of_returned(const std::string& printed,
                                                    const std::string& told);
// A shuffle read a lane that took no part in it: it may explain a NaN with all bits set.
inline constexpr const char* kAbsentLane = "absent_lane";
std::optional<DeviceReport> find_report_of_lane(const std::string& printed,
                                                const std::string& told);
// Whether a report is of use beside a wrong output alone.
bool only_explains(const std::string& kind);

// It makes no output wrong, so a wrong one is told first.
inline constexpr const char* kLeakKind = "leak";

// Whether a report of check mode makes a right result WRONG. Not where a right program can be told
// of it: a vector load may read padding that nobody has written, and not use it; a volatile
// variable in shared memory may be a flag that hands data on behind a fence. What is wrong with
// such a program shows in its output: fresh memory holds NaN, and lanes of a warp run one by one.
bool decides(const std::string& kind);
// Kinds that follow from how slow check mode is and how much stack it takes.
bool may_be_of_check_mode_only(const std::string& kind);

}  // namespace convkit

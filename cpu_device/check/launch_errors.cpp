// SPDX-License-Identifier: MIT
#include "cpu_device/check/launch_errors.h"

#include <optional>

#include "cpu_device/check/reports.h"
#include "simt/runtime_api.h"

namespace convkit::simt::check {
namespace {

std::optional<Report>& unread() {
  static auto* const report = new std::optional<Report>;
  return *report;
}
// "cudaMemcpy, called at warm_up.cu:19: ... It did nothing and returned ..."; "" if none was
// refused.
std::string& unread_call() {
  static auto* const sentence = new std::string;
  return *sentence;
}

std::string product(const unsigned (&dim)[3]) {
  return std::to_string(dim[0]) + " x " + std::to_string(dim[1]) + " x " + std::to_string(dim[2]);
}

}  // namespace

void launch_was_refused(cudaError_t error, const std::string& kernel,
                        const ConvkitSimtLaunch& launch) {
  if (unread()) return;
  Report report;
  report.kind = "launch_error_unread";
  report.lines = {{launch.file != nullptr ? launch.file : "", launch.line}};
  report.sentence = "the launch of " + kernel + " at " + report.lines[0].text() +
                    " was refused with " + cudaGetErrorName(error) +
                    ", and the program did not check for errors: the kernel did not run. Grid " +
                    product(launch.grid) + ", block " + product(launch.block) + ", " +
                    std::to_string(launch.shared_bytes) + " bytes of dynamic shared memory.";
  report.advice = "Call cudaGetLastError() after every launch.";
  unread() = report;
}

void call_was_refused(const char* reason, const std::string& status) {
  if (unread_call().empty()) {
    unread_call() = std::string(reason) + " It did nothing and returned " + status + ".";
  }
}

void errors_were_read() {
  unread().reset();
  unread_call().clear();
}

std::string unread_launch_error() {
  if (!unread()) return "";
  std::string text = unread()->sentence;
  text[0] = 'T';  // "the launch ..."
  return text;
}

void report_launch_error() {
  if (unread()) tell(*unread());
}

void note_refused_call() {
  if (unread_call().empty()) return;
  note(unread_call(),
       "If the program does not look at what this call returns: check what every call returns.");
}

}  // namespace convkit::simt::check

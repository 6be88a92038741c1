// SPDX-License-Identifier: MIT
// The text and the number of reports: one for each pair of lines, and at most ten of a kind: those
// of a kind that decides nothing leave room for one that does. A program that has caused one does
// not end with exit code 0.
#pragma once

#include <string>
#include <vector>

#include "cpu_device/check/source_lines.h"
#include "cpu_device/engine/fault.h"
#include "simt/runtime_types.h"

namespace convkit::simt::check {

struct Report {
  std::string kind;
  std::string sentence;
  std::string where;  // kernel, block, thread; empty in host code
  std::string advice;
  std::vector<SourceLine>
      lines;  // that the sentence names: they are quoted, and tell reports apart
};

// Writes the report, unless its like has been written.
void tell(const Report& report);

// Writes what is perhaps no fault: it counts as no report.
void note(const std::string& sentence, const std::string& advice);

// Writes it and ends the launch with CUDA's error.
[[noreturn]] void stop_with(const Report& report, cudaError_t error);

// "scale, block (3,0,0), thread (17,0,0), launched at scale.cu:20"
std::string running_place();
// "thread (17,0,0)"
std::string thread_text(unsigned thread);

// Watches the program's end: leaks, launch errors that nobody read, the exit code.
void watch_exit();
// For the hook of the same name: the engine writes reports, too.
void report_was_told(const Fault& fault);

}  // namespace convkit::simt::check

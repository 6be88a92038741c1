// SPDX-License-Identifier: MIT
// What has been counted of the whole program, and what is said about it at its end.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/profile/arithmetic.h"
#include "cpu_device/profile/collect.h"
#include "cpu_device/profile/trace.h"

namespace convkit::simt::profile {

struct KernelProfile {
  std::string name;
  uint64_t launches = 0, blocks = 0;
  uint64_t threads = 0;               // of a block; the most of all launches
  uint64_t dynamic_shared_bytes = 0;  // of a block; likewise
  uint64_t left_out = 0;              // accesses that were not kept (Collector::kMostOfWarp)
  std::map<Instruction, Sums> instructions;
  DifferentSectors sectors;                     // of each launch, added up
  std::map<uintptr_t, uint64_t> blocks_passed;  // see PassedBlocks
  KernelTrace trace;                            // without steps unless one was asked for
  std::map<std::pair<std::string, int>, uint64_t> barriers;  // by file and line: blocks that passed
};

struct ProgramProfile {
  std::deque<KernelProfile> kernels;  // in the order of their first launches

  KernelProfile& kernel(const std::string& name);
};
ProgramProfile& program_profile();

// The accesses of one kind in one line of the source.
struct Line {
  std::string file;
  int number = 0;
  std::string text;  // "tile.cu:12"
  Kind kind = Kind::global_load;
  Sums sums;
};

// The floating-point operations in one line of the source.
struct ArithmeticLine {
  std::string file;
  int number = 0;
  std::string text;  // as of a Line
  Arithmetic executed{};
};

inline double per(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

struct KernelReport {
  const KernelProfile* kernel = nullptr;
  std::vector<Line> lines;                 // by file, line and kind
  std::vector<ArithmeticLine> arithmetic;  // by file and line
  std::string arithmetic_unknown;          // why it is not known: a sentence; or ""
  std::string verdict;  // what limits the kernel and what to try; one sentence, perhaps two
  std::string limiter;  // "loads", "stores", "bank_conflicts", "atomics", "divergence", "none"
};

// The report of lines that are known already; `lines` are those of the kernel.
KernelReport judge_kernel(const KernelProfile& kernel, std::vector<Line> lines);

// Of any order; lines that are the same are added up.
void add_arithmetic(KernelReport& report, std::vector<ArithmeticLine> lines);

std::string text_of(const KernelReport& report);
std::string json_of(const std::vector<KernelReport>& reports);

}  // namespace convkit::simt::profile

// SPDX-License-Identifier: MIT
#include "cpu_device/profile/program_profile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace convkit::simt::profile {
namespace {

// A model of what accesses cost on a GPU, in cycles of one multiprocessor, to tell which of several
// losses is the largest. A sector comes from the L2 cache or from memory, a wavefront from shared
// memory, a request is one instruction of the warp.
constexpr double kSectorCycles = 1, kWavefrontCycles = 1, kRequestCycles = 1;
// Operations on one address of global memory wait for those of the whole device.
constexpr double kAtomicPassCycles = 4;
constexpr double kConstantWordCycles = 1;
// What costs less than this part of the whole does not limit a kernel.
constexpr double kLeastPart = 0.25;

std::string one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  const std::string result = text;
  return result.ends_with(".0") ? result.substr(0, result.size() - 2) : result;
}

std::string percent(uint64_t part, uint64_t whole) {
  return std::to_string(whole == 0 ? 0 : (100 * part + whole / 2) / whole) + " %";
}

struct Loss {
  const char* limiter;
  double cycles = 0;           // over all lines
  double worst_cycles = 0;     // of the line that has most of it
  const Line* line = nullptr;  // that one
  void add(double lost, const Line& of) {
    cycles += lost;
    if (lost <= worst_cycles) return;
    worst_cycles = lost;
    line = &of;
  }
};

std::string sentence(const Loss& loss) {
  const Line& line = *loss.line;
  const Sums& sums = line.sums;
  const std::string name = loss.limiter;
  if (name == "loads" || name == "stores") {
    const bool store = is_store(line.kind);
    return std::string("uncoalesced ") + name + " in " + line.text + ": " +
           one_decimal(per(sums.sectors, sums.requests)) + " sectors a request where " +
           one_decimal(per(sums.ideal_sectors, sums.requests)) + " would do, and " +
           percent(sums.used_bytes, 32 * sums.sectors) +
           " of the bytes that move are used. Let neighbouring lanes " +
           (store ? "store" : "load") + " neighbouring elements, if need be through shared memory.";
  }
  if (name == "bank_conflicts") {
    return "bank conflicts in " + line.text + ": " +
           one_decimal(per(sums.wavefronts, sums.requests)) + " wavefronts a request where " +
           one_decimal(per(sums.wavefronts - sums.conflicts, sums.requests)) +
           " would do. Pad the rows of the shared array by one element, or let lanes that work "
           "together use different banks.";
  }
  if (name == "atomics") {
    return "contended atomics in " + line.text + ": " +
           one_decimal(per(sums.passes, sums.requests)) +
           " operations of a warp wait for one address, and one address gets " +
           std::to_string(sums.hottest) + " of " + std::to_string(sums.lanes) +
           ". Add up within the warp or the block first, and make one atomic operation of the sum.";
  }
  if (name == "constants") {
    return "different constants in " + line.text + ": a request loads " +
           one_decimal(per(sums.words, sums.requests)) +
           " words of __constant__ memory, one after the other. Let all lanes of a warp load the "
           "same element, or put the array into shared memory.";
  }
  return "divergence in " + line.text + ": " + one_decimal(per(sums.lanes, sums.requests)) +
         " of " + one_decimal(per(sums.possible_lanes, sums.requests)) +
         " lanes are active in a request. Let whole warps take the same branch, or give all lanes "
         "the same number of turns.";
}

}  // namespace

KernelProfile& ProgramProfile::kernel(const std::string& name) {
  for (KernelProfile& kernel : kernels) {
    if (kernel.name == name) return kernel;
  }
  kernels.emplace_back();
  kernels.back().name = name;
  return kernels.back();
}

ProgramProfile& program_profile() {
  static ProgramProfile& the_profile = *new ProgramProfile;  // is there until the process ends
  return the_profile;
}

void add_arithmetic(KernelReport& report, std::vector<ArithmeticLine> lines) {
  std::sort(lines.begin(), lines.end(), [](const ArithmeticLine& a, const ArithmeticLine& b) {
    return std::tie(a.file, a.number, a.text) < std::tie(b.file, b.number, b.text);
  });
  for (const ArithmeticLine& line : lines) {
    const bool same = !report.arithmetic.empty() && report.arithmetic.back().file == line.file &&
                      report.arithmetic.back().number == line.number;
    if (!same) {
      report.arithmetic.push_back(line);
      continue;
    }
    Arithmetic& sums = report.arithmetic.back().executed;
    for (unsigned i = 0; i < kOperations; ++i) sums[i] += line.executed[i];
  }
}

KernelReport judge_kernel(const KernelProfile& kernel, std::vector<Line> lines) {
  KernelReport report;
  report.kernel = &kernel;
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::tie(a.file, a.number, a.kind) < std::tie(b.file, b.number, b.kind);
  });
  for (const Line& line : lines) {
    const bool same = !report.lines.empty() && report.lines.back().file == line.file &&
                      report.lines.back().number == line.number &&
                      report.lines.back().kind == line.kind;
    if (same) {
      report.lines.back().sums += line.sums;
    } else {
      report.lines.push_back(line);
    }
  }
  std::array<Loss, 6> losses{
      {{"loads"}, {"stores"}, {"bank_conflicts"}, {"atomics"}, {"divergence"}, {"constants"}}};
  double all = 0;
  for (const Line& line : report.lines) {
    const Sums& sums = line.sums;
    const auto wide = [](uint64_t sum) { return static_cast<double>(sum); };
    all += kRequestCycles * wide(sums.requests) + kSectorCycles * wide(sums.sectors) +
           kWavefrontCycles * wide(sums.wavefronts) + kAtomicPassCycles * wide(sums.passes) +
           kConstantWordCycles * wide(sums.words);
    const uint64_t idle = sums.possible_lanes - sums.lanes;
    // A lane that has no part in an atomic operation waits for nobody.
    if (!is_atomic(line.kind)) {
      losses[4].add(kRequestCycles * 2 * wide(idle) / kLanes, line);
    }
    if (is_atomic(line.kind)) {
      losses[3].add(kAtomicPassCycles * wide(sums.passes - sums.requests), line);
    } else if (is_shared(line.kind)) {
      losses[2].add(kWavefrontCycles * wide(sums.conflicts), line);
    } else if (line.kind == Kind::constant_load) {
      losses[5].add(kConstantWordCycles * wide(sums.words - std::min(sums.words, sums.requests)),
                    line);
    } else if (line.kind != Kind::variable_load) {
      losses[is_store(line.kind) ? 1 : 0].add(
          kSectorCycles * wide(sums.sectors - sums.ideal_sectors), line);
    }
  }
  const Loss& worst =
      *std::max_element(losses.begin(), losses.end(),
                        [](const Loss& a, const Loss& b) { return a.cycles < b.cycles; });
  if (report.lines.empty()) {
    report.limiter = "none";
    report.verdict = "It makes no access to global or shared memory.";
  } else if (worst.line == nullptr || worst.cycles < kLeastPart * all) {
    report.limiter = "none";
    report.verdict =
        "No pattern of accesses limits this kernel. To make it faster, load less, or use what was "
        "loaded more often.";
  } else {
    report.limiter = worst.limiter;
    report.verdict = "What limits this kernel: " + sentence(worst);
  }
  return report;
}

}  // namespace convkit::simt::profile

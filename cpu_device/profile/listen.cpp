// SPDX-License-Identifier: MIT
// The profiler begins when the library is loaded, and tells what it has counted when the program
// ends.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cpu_device/check/source_lines.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/profile/arithmetic_lines.h"
#include "cpu_device/profile/launch.h"
#include "cpu_device/profile/program_profile.h"

namespace convkit::simt::profile {
namespace {

void copy_begins(const AsyncCopy& copy) {
  accessed(reinterpret_cast<uintptr_t>(copy.from), copy.bytes, Access::load, copy.pc);
  accessed(reinterpret_cast<uintptr_t>(copy.to), copy.bytes + copy.zeros, Access::store, copy.pc);
}

void fault_at(Fault& fault, uintptr_t pc) {
  // The instruction itself, not the one after a call.
  const check::SourceLine line = check::line_of(pc + 1);
  if (line.file.empty()) return;
  if (!fault.sentence.empty()) fault.sentence.pop_back();
  fault.sentence += " at " + line.text() + ".";
}

// The engine asks for the rest on behalf of check mode.
constexpr CheckHooks kHooks = {
    .kernel_begins = launch_begins,
    .kernel_ends = launch_ends,
    .block_begins = block_begins,
    .block_ends = block_ends,
    .barrier_opens = barrier_opens,
    .block_leaves = block_leaves,
    .block_resumes = block_resumes,
    .grid_meets = [] {},
    .phase_arrival = [](const void*, unsigned) {},
    .phase_passed = [](const void*, unsigned) {},
    .warp_meets = warp_meets,
    .absent_lane = nullptr,
    .fence = [](bool) {},
    .atomic_begins = [](const void*, unsigned) {},
    .child_queued = [](const Grid&, const Grid&,
                       cudaStream_t) { return std::shared_ptr<const void>(); },
    .async_copy_begins = copy_begins,
    .async_copy_ends = [](const AsyncCopy&) {},
    .heap_taken = [](void*, size_t) {},
    .heap_left = [](void*) {},
    .matrix_begins = [](const ConvkitMatrixInMemory&, const ConvkitWarpOp&) {},
    .texel_read =
        [](const void* texel, size_t bytes, uintptr_t pc) {
          accessed(reinterpret_cast<uintptr_t>(texel), bytes, Access::load, pc);
        },
    .fetch_beyond = [](const void*, int64_t, int64_t, uintptr_t) {},
    .fault_at = fault_at,
    .managed_variables = [](void*, size_t) { return false; },
    .allocated = [](const Allocation&) {},
    .freed = [](const Allocation&) {},
    .will_be_freed = [](const Allocation&) {},
    .free_refused = [](void*) {},
    .call_site = [] { return std::shared_ptr<void>(); },
    .copied = [](const CopiedRows&, const void*) {},
    .host_room = [](const void*) { return std::optional<HostRoom>(); },
    .call_refused = [](const char*, const std::string&) {},
    .launch_refused = [](cudaError_t, const std::string&, const ConvkitSimtLaunch&) {},
    .errors_read = [] {},
    .device_reset = [] {},
    .told = [](const Fault&) {},
    .library_uses = [](const Operand&, const char*, const void*) {},
    .library_overlaps = [](const Operand*, size_t, const char*, const void*) {},
    .library_fault = [](const Fault& fault, const char* call,
                        const void*) { write_report(fault, call); },
    .allocation_remark = [](const Allocation&) { return std::string(); },
    .line_of_call = [](const void*) { return std::string(); },
};

std::vector<Line> lines_of(const KernelProfile& kernel) {
  std::vector<Line> lines;
  for (const auto& [instruction, sums] : kernel.instructions) {
    const check::SourceLine line = check::line_of(instruction.pc);
    lines.push_back({line.file, line.line, line.text(), instruction.kind, sums});
  }
  return lines;
}

void write_json(const std::vector<KernelReport>& reports, const std::string& path) {
  const std::string text = json_of(reports);
  FILE* file = std::fopen(path.c_str(), "w");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr && std::fclose(file) != 0) written = false;
  if (!written) {
    std::fprintf(stderr, "convkit: CONVKIT_PROFILE_JSON: %s cannot be written.\n", path.c_str());
  }
}

void at_exit(int, void*) {
  std::fflush(stdout);  // what the program printed before comes before
  std::vector<KernelReport> reports;
  for (KernelProfile& kernel : program_profile().kernels) {
    for (TracedStep& step : kernel.trace.steps) {
      if (step.is_barrier) continue;
      const check::SourceLine line = check::line_of(step.pc);
      step.file = line.file;
      step.line = line.line;
    }
    KernelReport& report = reports.emplace_back(judge_kernel(kernel, lines_of(kernel)));
    const KernelArithmetic arithmetic = arithmetic_of(kernel);
    add_arithmetic(report, arithmetic.lines);
    report.arithmetic_unknown = arithmetic.unknown;
  }
  const char* named = std::getenv("CONVKIT_PROFILE_JSON");
  const std::string json = named == nullptr ? "" : named;
  if (json == "-") {  // for `convkit profile`, in place of words
    std::fputs(json_of(reports).c_str(), stderr);
    return;
  }
  for (const KernelReport& report : reports) std::fputs(text_of(report).c_str(), stderr);
  if (reports.empty()) std::fputs("convkit profile: no kernel ran.\n", stderr);
  if (!json.empty()) write_json(reports, json);
}

__attribute__((constructor)) void listen() {
  check_hooks = &kHooks;
  on_exit(at_exit, nullptr);
}

}  // namespace
}  // namespace convkit::simt::profile

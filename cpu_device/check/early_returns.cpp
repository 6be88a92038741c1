// SPDX-License-Identifier: MIT
#include "cpu_device/check/early_returns.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cpu_device/engine/hooks.h"
#include "simt/warp_op.h"

namespace convkit::simt::check {
namespace {

// A barrier that the running block has passed, and the threads that had returned when it first did.
struct Passed {
  const char* file;
  int line;
  unsigned returned;
};
std::vector<Passed> g_passed;

std::optional<Report>& first_seen() {
  static auto* const report = new std::optional<Report>;
  return *report;
}

std::optional<Report>& first_absent() {
  static auto* const report = new std::optional<Report>;
  return *report;
}

const char* name_of(int shuffle) {
  switch (shuffle) {
    case kShuffleUp:
      return "__shfl_up_sync()";
    case kShuffleDown:
      return "__shfl_down_sync()";
    case kShuffleXor:
      return "__shfl_xor_sync()";
    default:
      return "__shfl_sync()";
  }
}

Report report_of(BlockThreads threads, unsigned returned_before, BarrierSite site) {
  Report report;
  report.kind = "threads_returned";
  report.sentence = "threads left a loop: the barrier at " + file_and_line(site.file, site.line) +
                    " is passed by " + std::to_string(threads.all - threads.returned) +
                    " of the block's " + std::to_string(threads.all) + " threads, though " +
                    std::to_string(threads.all - returned_before) +
                    " had passed it before: the others have returned since.";
  report.advice =
      "A thread that has returned loads nothing for the others any more. If all threads of the "
      "block load what the loop uses, keep all of them in the loop, and let those without an "
      "output leave out only what they would compute and store.";
  return report;
}

}  // namespace

void forget_early_returns() {
  first_seen().reset();
  first_absent().reset();
}

void forget_passed_barriers() {
  g_passed.clear();
}

void barrier_opens_for(BlockThreads threads, BarrierSite site) {
  if (site.file == nullptr || first_seen()) return;
  const auto known = std::find_if(g_passed.begin(), g_passed.end(), [&](const Passed& one) {
    return one.line == site.line && one.file == site.file;
  });
  if (known == g_passed.end()) {
    g_passed.push_back({site.file, site.line, threads.returned});
  } else if (threads.returned > known->returned) {
    first_seen() = report_of(threads, known->returned, site);
  }
}

std::optional<Report> report_of_early_returns() {
  return first_seen();
}

void note_absent_lane(const ConvkitWarpOp& op, unsigned lane, unsigned source, Absence why) {
  if (first_absent()) return;
  Report report;
  report.kind = "absent_lane";
  report.sentence = "lane " + std::to_string(lane) + " reads the value of lane " +
                    std::to_string(source) + " by " + name_of(op.kind) + " at " +
                    file_and_line(op.file, op.line) + ", and " +
                    (why == Absence::returned      ? "that lane has returned"
                     : why == Absence::never_there ? "the block has no such lane in this warp"
                                                   : "the mask does not name that lane") +
                    ": what it gets is undefined.";
  report.advice =
      "Let all lanes of the warp come to the shuffle, those that have nothing to add with a value "
      "that changes nothing, such as 0 in a sum.";
  first_absent() = report;
}

std::optional<Report> report_of_absent_lane() {
  return first_absent();
}

}  // namespace convkit::simt::check

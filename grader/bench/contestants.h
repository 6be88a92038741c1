// SPDX-License-Identifier: MIT
// What `bench` compares: the baseline, the student's work, the reference solution, vendor
// libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_options.h"
#include "grade/kit.h"
#include "grade/speed/speed_runner.h"

namespace convkit {

struct BenchContestant {
  std::string name;
  std::filesystem::path library;
  bool peer = false;  // may load the machine's libraries
};

// The folder that is timed, and its name: "yours", or the name of --dir. Empty if there is no own
// work and the reference solution was asked for.
struct BenchSubject {
  std::string name;
  std::filesystem::path folder;
};
std::optional<BenchSubject> bench_subject(const Kit& kit, const Stage& stage,
                                          const BenchOptions& options);

// Where time is short, what earns points is measured.
std::vector<SpeedCase> those_with_points_first(std::vector<SpeedCase> shapes);

// Where no GPU can time the stage's kernels they are counted, which takes check mode.
SimtMode bench_mode(const Kit& kit, const Stage& stage);

class BenchContestants {
 public:
  // In check mode they are built to be counted, not to be timed.
  BenchContestants(const Kit& kit, const Stage& stage, SimtMode mode)
      : kit_(kit), stage_(stage), mode_(mode), builder_(kit.builder()) {}

  // Builds a folder as a submission; throws UsageError where it does not build.
  BenchContestant submission(const std::string& name, const std::filesystem::path& folder);
  // Builds one source that uses a vendor's library. If it does not build on this machine, prints a
  // sentence to stdout and returns nothing.
  std::optional<BenchContestant> peer(const std::filesystem::path& source);
  // All that the options ask for, the baseline first.
  std::vector<BenchContestant> all(const BenchOptions& options);

  SessionOptions session(const BenchContestant& contestant) const;
  SessionOptions timed_session(const BenchContestant& contestant) const;  // for time_in_turn()
  Builder& builder() { return builder_; }
  ThreadPool& pool() { return pool_; }

 private:
  BuildResult build(const std::string& name, const BuildRequest& request);

  const Kit& kit_;
  const Stage& stage_;
  SimtMode mode_;
  Builder builder_;
  ThreadPool pool_;
};

// Its function ran into a stub and wrote nothing.
bool is_not_started(const Timing& timing);
// Why a timing has no figures, or "".
std::string problem_of(const Timing& timing, const Stage& stage, const std::string& op);

// Into a rung of a ladder or a cell of a sweep: why it has no figures, or its time and its spread.
template <class Row>
void take_timing(const Timing& timing, const Stage& stage, const std::string& op, Row& row) {
  row.problem = problem_of(timing, stage, op);
  if (!row.problem.empty() || timing.seconds.empty()) return;
  const Spread time = spread(timing.seconds);
  row.seconds = time.median;
  row.spread = time.relative();
}

}  // namespace convkit

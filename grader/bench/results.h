// SPDX-License-Identifier: MIT
// What `bench` finds, as data. json_view.h and terminal_view.h show it, pictures.h draws it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convkit/timing.h"
#include "stage/bench_tables.h"

namespace convkit {

// What the kernels of one call did, counted on the CPU device.
struct Counted {
  std::string problem;                   // why there are no counts, or ""
  bool not_started = false;              // that is the problem
  std::map<std::string, double> counts;  // launches, blocks, threads, barriers, global_loads, ...
  double outputs = 1;

  double of(const std::string& name) const;
  double per_output(const std::string& name) const { return of(name) / outputs; }
  // To global memory, of whatever kind.
  double global_accesses() const;
};

// `bench N`: every shape, with a row for each contestant.
struct TimedCode {
  std::string name;
  std::string problem;       // why there are no figures, or ""
  bool not_started = false;  // that is the problem
  size_t rounds = 0;
  Spread time, ratio;  // seconds; the baseline's time divided by this one's
  std::optional<double>
      points;  // that the ratio would earn, of a submission on a shape with points
};
struct TimedShape {
  std::string name, title;
  double flop = 0;
  std::vector<TimedCode> rows;
  double points = 0;          // that the shape counts for; 0: it is only shown
  double none = 1, full = 1;  // the ratios that earn nothing and everything

  double most_flops() const;  // of the fastest row that has figures, in a second
  // 0: the measured peak is 0, or was exceeded on this shape and so is none.
  double share_of_peak(const TimedCode& code, double peak) const;
};
struct BenchTimes {
  std::string kit_version, stage, compiler, flags;
  std::string gpu;            // its name; "": one core of the CPU
  double fma_peak_flops = 0;  // 0 on a GPU: not measured
  std::vector<TimedShape> shapes;

  bool complete() const;  // no contestant has a problem, but that something is not started
  std::map<std::string, double> geomean_ratios() const;
};

// `bench N` without a GPU: counts instead of times.
struct CountedCode {
  std::string name;
  Counted counted;
  bool library_only = false;  // it launches no kernel of its own
};
struct CountedShapeRows {
  std::string name, title, note;  // note: how the counted shape differs, or ""
  std::vector<CountedCode> rows;
  double points = 0;  // that a GPU's times of the shape earn
};
struct BenchCounts {
  std::string kit_version, stage;
  std::vector<CountedShapeRows> shapes;

  bool complete() const;
};

// `bench N --ladder`: the steps of a ladder that could be built.
struct LadderRung {
  const LadderStep* step;
  std::string problem;  // why there are no figures, or ""
  double seconds = 0, spread = 0;
  Counted counted;  // instead of seconds

  bool found() const { return problem.empty(); }
};
struct LadderResult {
  const Ladder* ladder;
  bool counting;
  std::string note;         // how the counted shape differs, or ""
  double counted_flop = 0;  // of the counted shape
  std::vector<LadderRung> rungs;

  bool complete() const;
  double gflops(const LadderRung& rung) const;
  double share_of_peer(const LadderRung& rung) const;  // 0: unknown
  // Counts the operation, not what a step computes.
  double multiply_adds() const { return counted_flop / 2; }
};
struct LadderResults {
  std::string kit_version, stage, device;
  std::vector<LadderResult> ladders;
};

// `bench N --sweep`: the combinations of a sweep.
struct SweepCell {
  std::vector<int64_t> values;  // in the order of the sweep's macros
  std::string problem;          // why there are no figures, or ""
  double seconds = 0, spread = 0;
  std::map<std::string, double> counts;  // instead of seconds, for each output
};
struct SweepResult {
  const Sweep* sweep;
  bool counting;
  std::vector<SweepCell> cells;

  // The figure by which cells are compared, and its unit.
  std::optional<double> value(const SweepCell& cell) const;
  const char* unit() const { return counting ? "global loads per output" : "GFLOP/s"; }
  bool better(double a, double b) const { return counting ? a < b : a > b; }
  std::optional<size_t> best() const;

 private:
  bool better(const SweepCell& a, const SweepCell& b) const;
};
struct SweepResults {
  std::string kit_version, stage, device, compiler;
  std::vector<SweepResult> sweeps;
};

// `bench N --chart`: figures that the work itself measured.
struct ChartFigures {
  const ChartShape* shape;
  std::string problem;                                    // why there are no figures, or ""
  std::vector<std::vector<std::optional<double>>> cells;  // [row][column]
  bool not_started = false;                               // that is the problem
};
struct ChartResult {
  const Chart* chart;
  std::vector<ChartFigures> shapes;

  bool complete() const;
};
struct ChartResults {
  std::string kit_version, stage, device;
  std::vector<ChartResult> charts;
};

}  // namespace convkit

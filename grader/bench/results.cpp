// SPDX-License-Identifier: MIT
#include "bench/results.h"

#include <algorithm>
#include <cmath>

namespace convkit {

double Counted::of(const std::string& name) const {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

double Counted::global_accesses() const {
  return of("global_loads") + of("global_stores") + of("global_atomics");
}

double TimedShape::most_flops() const {
  double most = 0;
  for (const TimedCode& row : rows) {
    if (row.problem.empty() && row.time.median > 0) most = std::max(most, flop / row.time.median);
  }
  return most;
}

double TimedShape::share_of_peak(const TimedCode& code, double peak) const {
  return peak > 0 && most_flops() <= peak ? flop / code.time.median / peak : 0;
}

bool BenchTimes::complete() const {
  return std::ranges::all_of(shapes, [](const TimedShape& shape) {
    return std::ranges::all_of(
        shape.rows, [](const TimedCode& row) { return row.problem.empty() || row.not_started; });
  });
}

std::map<std::string, double> BenchTimes::geomean_ratios() const {
  std::map<std::string, std::vector<double>> logs;
  for (const TimedShape& shape : shapes) {
    for (const TimedCode& row : shape.rows) {
      if (row.problem.empty()) logs[row.name].push_back(std::log(row.ratio.median));
    }
  }
  std::map<std::string, double> means;
  for (const auto& [name, values] : logs) {
    double sum = 0;
    for (const double value : values) sum += value;
    means[name] = std::exp(sum / static_cast<double>(values.size()));
  }
  return means;
}

bool BenchCounts::complete() const {
  return std::ranges::all_of(shapes, [](const CountedShapeRows& shape) {
    return std::ranges::all_of(shape.rows, [](const CountedCode& row) {
      return row.counted.problem.empty() || row.counted.not_started;
    });
  });
}

bool LadderResult::complete() const {
  return std::ranges::all_of(rungs, &LadderRung::found);
}

double LadderResult::gflops(const LadderRung& rung) const {
  return rung.seconds == 0 ? 0 : ladder->shape.flop / rung.seconds * 1e-9;
}

double LadderResult::share_of_peer(const LadderRung& rung) const {
  const auto peer = std::ranges::find_if(rungs, [](const LadderRung& r) { return r.step->peer; });
  if (peer == rungs.end() || peer->seconds == 0 || rung.seconds == 0) return 0;
  return peer->seconds / rung.seconds;
}

std::optional<double> SweepResult::value(const SweepCell& cell) const {
  if (!cell.problem.empty()) return std::nullopt;
  if (!counting) {
    if (cell.seconds == 0) return std::nullopt;  // interrupted before its turn
    return sweep->shape.flop / cell.seconds * 1e-9;
  }
  const auto loads = cell.counts.find("global_loads");
  if (loads == cell.counts.end()) return std::nullopt;
  return loads->second;
}

// Among those with equally few loads from global memory, the one with the fewest loads from shared
// memory wins.
bool SweepResult::better(const SweepCell& a, const SweepCell& b) const {
  if (*value(a) != *value(b)) return better(*value(a), *value(b));
  for (const char* name : {"shared_loads", "barriers"}) {
    if (!counting || a.counts.at(name) == b.counts.at(name)) continue;
    return a.counts.at(name) < b.counts.at(name);
  }
  return false;
}

std::optional<size_t> SweepResult::best() const {
  std::optional<size_t> best;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (value(cells[i]) && (!best || better(cells[i], cells[*best]))) best = i;
  }
  return best;
}

bool ChartResult::complete() const {
  return std::ranges::all_of(shapes, [](const ChartFigures& figures) {
    return figures.problem.empty() || figures.not_started;
  });
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// What a call of `bench` asks for.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace convkit {

struct BenchOptions {
  std::string stage;
  std::filesystem::path folder;
  std::filesystem::path json;
  bool solution = false;  // time the reference solution too
  bool peers = true;      // vendor libraries where they build
  double seconds = 0;     // per shape; 0: 2, and 30 for all shapes together
  std::vector<std::string> shapes;
  bool sweep = false, ladder = false, chart = false;
  std::string table;          // the sweep, ladder or chart meant; empty: all of them
  std::filesystem::path svg;  // its picture; empty: in work/results
  bool again = false;         // whatever a sweep has found before

  static constexpr double kSecondsOfShape = 2;
  static constexpr int kSecondsOfAll = 30;
  double seconds_of_shape() const { return seconds > 0 ? seconds : kSecondsOfShape; }
  // What a plain `bench N` does takes a student's patience, not more.
  bool is_limited() const { return seconds <= 0 && shapes.empty(); }

  using Clock = std::chrono::steady_clock;
  // When a measurement that begins now has to end, if anything ends it.
  std::optional<Clock::time_point> end_from_now() const {
    if (!is_limited()) return std::nullopt;
    return Clock::now() + std::chrono::seconds(kSecondsOfAll);
  }

  bool wants(const std::string& shape) const {
    return shapes.empty() || std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
  }
};

}  // namespace convkit

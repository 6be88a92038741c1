// SPDX-License-Identifier: MIT
// A table of figures as a picture: the darker, the better.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace convkit {

struct HeatMap {
  std::string title, subtitle;
  std::string across, down;                               // what the axes are
  std::vector<std::string> columns, rows;                 // their values
  std::vector<std::vector<std::optional<double>>> cells;  // [row][column]; nothing: "-"
  bool more_is_better = true;
  std::string unit;  // "GFLOP/s"
};

std::string draw(const HeatMap& map);

}  // namespace convkit

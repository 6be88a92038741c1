// SPDX-License-Identifier: MIT
// Steps of one thing as horizontal bars, in one or several series; or the same rows in several
// panels, with a bar for each group in every row.
// A table of figures as a picture: the darker, the better.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace convkit {

struct BarSeries {
  std::string title;                          // "GFLOP/s"
  std::vector<std::optional<double>> values;  // one a step; nothing: it could not be had
};

struct BarChart {
  std::string title, subtitle;
  std::vector<std::string> steps;
  std::vector<BarSeries> series;  // each with its own scale
};

std::string draw(const BarChart& chart);

struct GroupedBars {
  std::string title, subtitle;
  std::vector<std::string> rows, groups;
  struct Panel {
    std::string title;
    // [row][group]; empty if there is no figure
    std::vector<std::vector<std::optional<double>>> values;
  };
  std::vector<Panel> panels;  // each with its own scale
};

std::string draw(const GroupedBars& chart);

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

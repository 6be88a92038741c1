// SPDX-License-Identifier: MIT
// Steps of one thing as horizontal bars, in one or several series.
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

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The same rows in several panels, with a bar for each group in every row.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace convkit {

struct GroupedBars {
  std::string title, subtitle;
  std::vector<std::string> rows, groups;
  struct Panel {
    std::string title;
    // [row][group]; nothing: there is no figure.
    std::vector<std::vector<std::optional<double>>> values;
  };
  std::vector<Panel> panels;  // each with a scale of its own
};

std::string draw(const GroupedBars& chart);

}  // namespace convkit

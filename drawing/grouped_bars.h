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
    // [row][group]; empty if there is no figure
    std::vector<std::vector<std::optional<double>>> values;
  };
  std::vector<Panel> panels;  // each with its own scale
};

std::string draw(const GroupedBars& chart);

}  // namespace convkit

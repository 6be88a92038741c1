// SPDX-License-Identifier: MIT
// How digits are written: strokes through points in a box 70 wide and 100 high, y downwards.
#pragma once

#include <cstdint>
#include <vector>

namespace convkit {

struct Point {
  int64_t x, y;
};

struct Stroke {
  enum class Kind { curve, corners };  // smooth through the points, or straight between them
  Kind kind;
  std::vector<Point> points;
};

// The ways of writing one digit (0 to 9); at least one each.
const std::vector<std::vector<Stroke>>& digit_strokes(int label);

}  // namespace convkit

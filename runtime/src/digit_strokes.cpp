// SPDX-License-Identifier: MIT
#include "digit_strokes.h"

#include <array>
#include <cstddef>

namespace convkit {
namespace {

constexpr auto kCurve = Stroke::Kind::curve;
constexpr auto kCorners = Stroke::Kind::corners;

using Drawing = std::vector<Stroke>;

std::array<std::vector<Drawing>, 10> all_digits() {
  // clang-format off
  return {{
      // 0: closed; not quite closed
      {{{kCurve, {{46, 2}, {24, 7}, {8, 30}, {6, 62}, {20, 92}, {42, 98}, {62, 80},
                  {68, 48}, {62, 16}, {44, 2}}}},
       {{kCurve, {{54, 8}, {34, 2}, {12, 20}, {6, 54}, {16, 88}, {38, 99}, {60, 82},
                   {66, 46}, {56, 14}, {40, 8}}}}},
      // 1: a stroke; with a flag; with flag and foot
      {{{kCorners, {{42, 0}, {34, 100}}}},
       {{kCorners, {{18, 26}, {42, 0}, {38, 100}}}},
       {{kCorners, {{20, 22}, {40, 0}, {38, 98}}}, {kCorners, {{16, 98}, {62, 98}}}}},
      // 2: with a corner; with a loop
      {{{kCurve, {{8, 26}, {22, 5}, {46, 1}, {62, 18}, {56, 42}, {34, 68}, {8, 96}}},
        {kCorners, {{8, 96}, {70, 94}}}},
       {{kCurve, {{10, 20}, {30, 2}, {56, 8}, {60, 32}, {42, 62}, {22, 90}, {6, 92},
                   {10, 78}, {28, 80}, {48, 94}, {72, 90}}}}},
      // 3: round; with a flat top
      {{{kCurve, {{10, 14}, {30, 1}, {56, 8}, {58, 32}, {32, 46}, {56, 54}, {68, 74},
                  {52, 96}, {26, 99}, {6, 86}}}},
       {{kCorners, {{10, 4}, {62, 2}, {34, 40}}},
        {kCurve, {{34, 40}, {60, 50}, {68, 74}, {48, 97}, {22, 98}, {6, 86}}}}},
      // 4: open; closed
      {{{kCurve, {{18, 4}, {10, 34}, {12, 54}, {34, 57}, {66, 52}}},
        {kCorners, {{60, 6}, {50, 100}}}},
       {{kCorners, {{50, 100}, {54, 0}, {6, 64}, {72, 62}}}}},
      // 5: the top in one go; a flatter belly
      {{{kCorners, {{64, 3}, {22, 4}, {16, 42}}},
        {kCurve, {{16, 42}, {42, 36}, {64, 54}, {64, 78}, {42, 98}, {8, 92}}}},
       {{kCorners, {{68, 6}, {24, 2}}},
        {kCurve, {{24, 2}, {16, 44}, {46, 46}, {62, 66}, {52, 92}, {26, 100}, {6, 90}}}}},
      // 6: a curved back; a straighter one
      {{{kCurve, {{54, 2}, {30, 18}, {12, 50}, {10, 80}, {30, 99}, {56, 92}, {64, 70},
                  {46, 56}, {24, 62}, {12, 80}}}},
       {{kCurve, {{40, 0}, {24, 30}, {10, 66}, {18, 94}, {42, 98}, {58, 82}, {50, 62},
                   {28, 64}, {14, 82}}}}},
      // 7: plain; curved; with a bar
      {{{kCorners, {{6, 6}, {66, 4}, {30, 100}}}},
       {{kCurve, {{6, 14}, {30, 6}, {62, 6}, {56, 34}, {40, 66}, {34, 100}}}},
       {{kCorners, {{8, 6}, {66, 4}, {32, 100}}}, {kCorners, {{22, 52}, {62, 48}}}}},
      // 8: one stroke; two rings
      {{{kCurve, {{60, 14}, {40, 1}, {18, 12}, {22, 32}, {42, 47}, {62, 64}, {62, 88},
                  {38, 99}, {14, 88}, {16, 66}, {40, 46}, {56, 30}, {60, 14}}}},
       {{kCurve, {{38, 46}, {18, 34}, {18, 12}, {38, 1}, {58, 12}, {56, 34}, {38, 46}}},
        {kCurve, {{38, 46}, {12, 62}, {10, 86}, {36, 99}, {62, 86}, {62, 62}, {38, 46}}}}},
      // 9: a straight leg; a curved one
      {{{kCurve, {{62, 18}, {44, 3}, {20, 12}, {12, 34}, {28, 50}, {52, 40}, {62, 18}}},
        {kCorners, {{62, 18}, {54, 100}}}},
       {{kCurve, {{60, 16}, {38, 2}, {14, 14}, {12, 38}, {32, 50}, {54, 38}, {62, 14},
                   {64, 50}, {54, 84}, {30, 99}, {10, 90}}}}},
  }};
  // clang-format on
}

}  // namespace

const std::vector<std::vector<Stroke>>& digit_strokes(int label) {
  static const auto digits = all_digits();
  return digits.at(static_cast<size_t>(label));
}

}  // namespace convkit

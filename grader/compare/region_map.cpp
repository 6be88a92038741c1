// SPDX-License-Identifier: MIT
#include "compare/region_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace convkit {
namespace {

constexpr int64_t kMostLines = 16;
constexpr int64_t kMostCharacters = 48;

struct Symbol {
  char character;
  const char* meaning;
};

// In the order of ElementState.
constexpr Symbol kSymbols[] = {{'.', "right"},
                               {'#', "wrong"},
                               {'N', "NaN"},
                               {'+', "computed from unwritten"},
                               {'?', "unwritten"}};

// A rectangle of elements: which element lies at (line, column).
struct View {
  std::string title;
  int64_t lines, columns;
  Cell origin;
  bool is_matrix;  // lines are images, columns are channels

  Cell at(int64_t line, int64_t column) const {
    if (is_matrix) return {line, column, 0, 0};
    return {origin.image, origin.channel, line, column};
  }
};

Cell plane_with_most_wrong(const Field& field) {
  std::vector<int64_t> wrong(size_t(field.images() * field.channels()));
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    const Cell cell = field.cell(i);
    ++wrong[size_t(cell.image * field.channels() + cell.channel)];
  }
  const int64_t plane = std::max_element(wrong.begin(), wrong.end()) - wrong.begin();
  return {plane / field.channels(), plane % field.channels(), 0, 0};
}

View view_of(const Field& field) {
  const std::string& name = field.evidence().got.name;
  const size_t rank = field.evidence().got.dims.size();
  if (field.rows() * field.columns() == 1) {
    return {name, field.images(), field.channels(), {}, true};
  }
  const Cell plane = plane_with_most_wrong(field);
  View view{name, field.rows(), field.columns(), plane, false};
  if (rank == 4) {
    const bool channels_last = field.evidence().op.ends_with("_to_nhwc");
    view.title += channels_last ? fmt::format("[{},:,:,{}]", plane.image, plane.channel)
                                : fmt::format("[{},{},:,:]", plane.image, plane.channel);
  } else if (rank == 3) {
    view.title += fmt::format("[{},:,:]", plane.channel);
  }
  return view;
}

bool all_alike(const Field& field) {
  for (int64_t i = 1; i < field.size(); ++i) {
    if (field.state(i) != field.state(int64_t{0})) return false;
  }
  return true;
}

int64_t divided_up(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

std::string region_map(const Field& field) {
  if (field.size() == 0 || all_alike(field)) return {};
  const View view = view_of(field);
  const int64_t high = divided_up(view.lines, kMostLines);
  const int64_t wide = divided_up(view.columns, kMostCharacters);

  bool seen[std::size(kSymbols)] = {};
  std::string picture;
  for (int64_t top = 0; top < view.lines; top += high) {
    picture += '\n';
    for (int64_t left = 0; left < view.columns; left += wide) {
      ElementState worst = ElementState::right;
      for (int64_t line = top; line < std::min(top + high, view.lines); ++line) {
        for (int64_t column = left; column < std::min(left + wide, view.columns); ++column) {
          worst = std::max(worst, field.state(view.at(line, column)));
        }
      }
      seen[size_t(worst)] = true;
      picture += kSymbols[size_t(worst)].character;
    }
  }

  std::string caption = view.title;
  if (field.evidence().got.dims.size() == 1) {
    caption += fmt::format(", {} elements", view.columns);
    if (wide > 1) caption += fmt::format("; each character is {} of them", wide);
  } else {
    caption += fmt::format(", {} x {}", view.lines, view.columns);
    if (high * wide > 1) caption += fmt::format("; each character is {} x {} elements", high, wide);
  }
  caption += ':';
  for (size_t i = 0; i < std::size(kSymbols); ++i) {
    if (seen[i])
      caption += fmt::format(" {} {}{}", kSymbols[i].character, kSymbols[i].meaning, "  ");
  }
  caption.erase(caption.find_last_not_of(' ') + 1);
  return caption + picture;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Regions are tried from the most telling to the plainest; one is named only when it holds every
// wrong element and at least half of it is wrong.
#include "compare/patterns.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "compare/wording.h"

namespace convkit {
namespace {

// "All differences", or whatever the wrong elements have in common.
std::string subject(const Field& field) {
  const Comparison& seen = field.evidence().comparison;
  if (seen.unwritten == seen.wrong) return "All unwritten elements";
  if (seen.nan == seen.wrong) return "All NaN";
  if (seen.unwritten + seen.nan + seen.from_unwritten == 0) return "All differences";
  return "All wrong elements";
}

template <class Visit>
void for_each_wrong(const Field& field, Visit visit) {
  for (int64_t i = 0; i < field.size(); ++i) {
    if (field.bad(i)) visit(field.cell(i));
  }
}

int64_t wrong_count(const Field& field) {
  return field.evidence().comparison.wrong;
}

// The size that is 0, of a case in which every output is to be 0.
std::string empty_size(const Field& field) {
  for (int64_t i = 0; i < field.size(); ++i) {
    if (field.expected(i) != 0) return "";
  }
  for (const char* name : {"n", "c", "m", "k", "in", "inner", "h", "w"}) {
    const auto found = field.evidence().params.find(name);
    if (found != field.evidence().params.end() && found->second == 0) return name;
  }
  return "";
}

std::optional<Pattern> everything(const Field& field) {
  if (wrong_count(field) < field.size()) return std::nullopt;
  if (field.evidence().comparison.unwritten < field.size()) return Pattern{};
  if (const std::string empty = empty_size(field); !empty.empty()) {
    return Pattern{
        "nothing_written",
        fmt::format("Here {} is 0: a sum without terms is 0, and that is to be stored.", empty),
        fmt::format("Does the function return at once where {} is 0, or launch a grid "
                    "that has no blocks then?",
                    empty)};
  }
  return Pattern{"nothing_written", "",
                 "Does the function return before its loops, or write to a local copy instead of "
                 "the array it was given?"};
}

// The names of the outer two axes: images and channels for [n][c][h][w], rows and columns for a
// matrix.
struct AxisNames {
  std::string outer, inner;
};

// "w", "dw", "conv1_weight"
bool is_of_filters(const std::string& name) {
  return name == "w" || name == "dw" || name.find("weight") != std::string::npos;
}

AxisNames axis_names(const Field& field) {
  if (is_of_filters(field.evidence().reference.name)) return {"feature map", "channel"};
  if (field.rows() * field.columns() == 1) return {"row", "column"};
  return {"image", "channel"};
}

// "image 2", "images 1 and 3", "images 1 to 5".
std::string some_of(const std::string& axis, const std::vector<int64_t>& which) {
  if (which.size() == 1) return fmt::format("{} {}", axis, which[0]);
  const bool run = which.back() - which.front() + 1 == int64_t(which.size());
  if (run && which.size() > 2) return fmt::format("{}s {} to {}", axis, which[0], which.back());
  return fmt::format("{}s {}", axis, listed(which));
}

// Some images (or channels) are wrong for the most part and the others entirely right.
std::optional<Pattern> some_slices(const Field& field, const std::string& axis, int64_t extent,
                                   int64_t Cell::*coordinate) {
  std::vector<int64_t> wrong(static_cast<size_t>(extent));
  for_each_wrong(field, [&](const Cell& cell) { ++wrong[size_t(cell.*coordinate)]; });
  std::vector<int64_t> bad, good;
  for (int64_t i = 0; i < extent; ++i) (wrong[size_t(i)] > 0 ? bad : good).push_back(i);
  if (good.empty() || bad.empty()) return std::nullopt;
  if (2 * wrong_count(field) < int64_t(bad.size()) * (field.size() / extent)) return std::nullopt;

  if (good.size() == 1 && extent > 2) {
    return Pattern{"", fmt::format("Only {} {} is right.", axis, good[0]), ""};
  }
  return Pattern{"", fmt::format("{} are in {}.", subject(field), some_of(axis, bad)), ""};
}

std::optional<Pattern> some_images(const Field& field) {
  const std::string axis = axis_names(field).outer;
  auto pattern = some_slices(field, axis, field.images(), &Cell::image);
  if (!pattern || axis != "image") return pattern;
  std::vector<bool> wrong(size_t(field.images()));
  for_each_wrong(field, [&](const Cell& cell) { wrong[size_t(cell.image)] = true; });
  constexpr int64_t kFewest = 4;  // wrong elements; fewer may lie there by accident
  if (wrong_count(field) >= kFewest && !wrong[0] &&
      std::count(wrong.begin(), wrong.end(), true) == field.images() - 1) {
    pattern->id = "only_first_image";
    pattern->sentence = fmt::format("Only {} 0 is right.", axis);
    pattern->hint = fmt::format(
        "Does the loop over the mini-batch reach every {}, "
        "and does each one start at its own offset?",
        axis);
  }
  return pattern;
}

std::optional<Pattern> some_channels(const Field& field) {
  return some_slices(field, axis_names(field).inner, field.channels(), &Cell::channel);
}

// Strips along the sides of every plane. The distance of a cell to the nearest of the strip's
// sides tells how wide the strip must be.
struct Strip {
  bool top, bottom, left, right;
  const char* one;   // width 1
  const char* many;  // width {}
  const char* hint;
};

constexpr const char* kLoopBounds =
    "Only the end of the output is wrong there: compare the bounds of the loops, or the size of "
    "the grid, with the rows and columns of the output, and look at what is special about the last "
    "outputs.";
constexpr const char* kGridBounds =
    "Only the end of the output is wrong there: too few blocks, tiles too far apart, or a test "
    "with the wrong bound. Compare the grid with the rows and columns of the output.";
constexpr const char* kLastOutputs =
    "Only the end of the output is wrong there, and it was written: look at what is read for the "
    "last outputs, and at tests with a bound.";
constexpr const char* kPadding =
    "Only there does the window reach into the padding: "
    "check where it starts and which positions are skipped.";

constexpr Strip kStrips[] = {
    {false, true, false, false, "the last output row", "the last {} output rows", kLoopBounds},
    {false, false, false, true, "the last output column", "the last {} output columns",
     kLoopBounds},
    {true, false, false, false, "the first output row", "the first {} output rows", ""},
    {false, false, true, false, "the first output column", "the first {} output columns", ""},
    {true, true, false, false, "the first and the last output row",
     "the first {0} and the last {0} output rows", kPadding},
    {false, false, true, true, "the first and the last output column",
     "the first {0} and the last {0} output columns", kPadding},
    {false, true, false, true, "the last output row and the last output column",
     "the last {0} output rows and the last {0} output columns", kLoopBounds},
    {true, false, true, false, "the first output row and the first output column",
     "the first {0} output rows and the first {0} output columns", kPadding},
    {true, true, true, true, "the outermost rows and columns", "a border of width {}", kPadding},
};

int64_t distance(const Strip& strip, const Field& field, const Cell& cell) {
  int64_t nearest = std::numeric_limits<int64_t>::max();
  if (strip.top) nearest = std::min(nearest, cell.row);
  if (strip.bottom) nearest = std::min(nearest, field.rows() - 1 - cell.row);
  if (strip.left) nearest = std::min(nearest, cell.column);
  if (strip.right) nearest = std::min(nearest, field.columns() - 1 - cell.column);
  return nearest;
}

int64_t cells_outside(const Strip& strip, const Field& field, int64_t width) {
  const int64_t rows = field.rows() - width * (int64_t{strip.top} + int64_t{strip.bottom});
  const int64_t columns = field.columns() - width * (int64_t{strip.left} + int64_t{strip.right});
  return rows <= 0 || columns <= 0 ? 0 : rows * columns;
}

std::optional<Pattern> a_strip(const Field& field) {
  const int64_t plane = field.rows() * field.columns();
  for (const Strip& strip : kStrips) {
    int64_t width = 0;
    for_each_wrong(field, [&](const Cell& cell) {
      width = std::max(width, distance(strip, field, cell) + 1);
    });
    // A strip wider than half of the image says nothing about a border.
    const bool narrow = (!(strip.top || strip.bottom) || 2 * width <= field.rows()) &&
                        (!(strip.left || strip.right) || 2 * width <= field.columns());
    const int64_t outside = cells_outside(strip, field, width);
    const int64_t inside = (plane - outside) * field.images() * field.channels();
    if (!narrow || outside == 0 || 2 * wrong_count(field) < inside) continue;
    const std::string place = width == 1 ? strip.one : fmt::format(fmt::runtime(strip.many), width);
    const bool says_padding = strip.hint == kPadding;
    return Pattern{"", fmt::format("{} are in {}.", subject(field), place),
                   says_padding && !field.is_padded()                            ? ""
                   : strip.hint != kLoopBounds || !field.evidence().on_device    ? strip.hint
                   : wrong_count(field) == field.evidence().comparison.unwritten ? kGridBounds
                                                                                 : kLastOutputs};
  }
  return std::nullopt;
}

std::optional<Pattern> the_interior(const Field& field) {
  const Strip& all_sides = kStrips[std::size(kStrips) - 1];
  int64_t width = std::numeric_limits<int64_t>::max();
  for_each_wrong(
      field, [&](const Cell& cell) { width = std::min(width, distance(all_sides, field, cell)); });
  const int64_t inside = cells_outside(all_sides, field, width);
  if (width == 0 || 2 * wrong_count(field) < inside * field.images() * field.channels()) {
    return std::nullopt;
  }
  const std::string border = width == 1 ? "The outermost rows and columns are"
                                        : fmt::format("A border of width {} is", width);
  return Pattern{
      "", fmt::format("{} right; {} are inside.", border, "all" + subject(field).substr(3)), ""};
}

// From one element on to the end, in memory order.
std::optional<Pattern> a_tail(const Field& field) {
  int64_t begin = 0;
  while (!field.bad(begin)) ++begin;
  const int64_t length = field.size() - begin;
  if (begin == 0 || length < 2 || wrong_count(field) != length) return std::nullopt;
  const bool unwritten = field.evidence().comparison.unwritten == length;
  return Pattern{
      unwritten ? "unwritten_tail" : "",
      fmt::format("They are the last {} outputs, from {} on.", length, field.name(begin)),
      unwritten ? "How many elements does the loop run over, and does it cover the "
                  "remainder when the size is not a multiple of the step?"
                : ""};
}

// Why only every `step`-th row or column may be right.
const char* comb_hint(const Field& field, const std::string& axis, int64_t step) {
  const auto& params = field.evidence().params;
  const auto stride = params.find(axis == "row" ? "stride_h" : "stride_w");
  const bool strides = stride != params.end() && stride->second == double(step);
  return strides ? "An output index counts outputs: stride belongs into the input index only."
                 : "The others lie elsewhere or are not computed: look at what the index of the "
                   "output is multiplied with or divided by, and at the step of the loop over it.";
}

// Only every k-th row or column is right.
std::optional<Pattern> a_comb(const Field& field) {
  struct Axis {
    int64_t Cell::*coordinate;
    int64_t extent;
    const char* name;
  };
  for (const Axis& axis :
       {Axis{&Cell::column, field.columns(), "column"}, Axis{&Cell::row, field.rows(), "row"}}) {
    for (int64_t step = 2; step <= 4 && 2 * step <= axis.extent; ++step) {
      const int64_t right_lines = (axis.extent + step - 1) / step;
      const int64_t right = field.size() / axis.extent * right_lines;
      bool fits = wrong_count(field) == field.size() - right;
      for_each_wrong(field,
                     [&](const Cell& cell) { fits = fits && cell.*axis.coordinate % step != 0; });
      if (!fits) continue;
      constexpr const char* kOrdinals[] = {"", "", "second", "third", "fourth"};
      return Pattern{"",
                     fmt::format("Only every {} output {} is right.", kOrdinals[step], axis.name),
                     comb_hint(field, axis.name, step)};
    }
  }
  return std::nullopt;
}

// Of a single wrong element the name has been said.
std::optional<Pattern> only_the_first(const Field& field) {
  const bool unwritten = field.evidence().comparison.unwritten == 1;
  if (!unwritten || !field.bad(0) || field.size() < 3) return std::nullopt;
  return Pattern{"first_unwritten", "",
                 "Only the very first element is missing: does the loop begin at 1?"};
}

std::string span_of(const char* axis, int64_t first, int64_t last) {
  if (first == last) return fmt::format("{} {}", axis, first);
  return fmt::format("{}s {} to {}", axis, first, last);
}

// A rectangle that is at most half of a plane large enough for that to mean something.
std::optional<Pattern> a_box(const Field& field) {
  int64_t top = field.rows(), bottom = -1, left = field.columns(), right = -1;
  for_each_wrong(field, [&](const Cell& cell) {
    top = std::min(top, cell.row);
    bottom = std::max(bottom, cell.row);
    left = std::min(left, cell.column);
    right = std::max(right, cell.column);
  });
  const int64_t plane = field.rows() * field.columns();
  const int64_t box = (bottom - top + 1) * (right - left + 1);
  if (plane < 16 || 2 * box > plane || wrong_count(field) < 2) return std::nullopt;
  const bool is_vector = field.evidence().got.dims.size() == 1;
  const std::string columns = span_of(is_vector ? "element" : "column", left, right);
  const std::string place =
      is_vector ? columns : span_of("output row", top, bottom) + ", " + columns;
  return Pattern{"", fmt::format("{} lie in {}.", subject(field), place), ""};
}

}  // namespace

std::optional<Pattern> where_wrong(const Field& field) {
  if (wrong_count(field) == 0) return std::nullopt;
  const bool has_planes = field.rows() > 1 || field.columns() > 1;
  const bool is_vector = field.evidence().got.dims.size() == 1;
  using Rule = std::optional<Pattern> (*)(const Field&);
  if (auto pattern = everything(field)) return pattern->hint.empty() ? std::nullopt : pattern;
  if (wrong_count(field) == 1) return only_the_first(field);
  for (Rule rule : {some_images, some_channels}) {
    if (auto pattern = rule(field)) return pattern;
  }
  if (has_planes && !is_vector) {
    for (Rule rule : {a_comb, a_strip, the_interior}) {
      if (auto pattern = rule(field)) return pattern;
    }
  }
  for (Rule rule : {a_tail, a_box}) {
    if (auto pattern = rule(field)) return pattern;
  }
  return std::nullopt;
}

}  // namespace convkit

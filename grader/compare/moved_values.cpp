// SPDX-License-Identifier: MIT
// The right values in the wrong place.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "compare/closeness.h"
#include "compare/diagnose.h"
#include "compare/patterns.h"

namespace convkit {
namespace {

constexpr int64_t kFewestMoved = 4;

// Counts how the outputs compare with the references of other places; `source` returns the place
// whose value a cell should hold, or -1 for "cannot be told". Fails at the first cell that differs.
struct Moved {
  int64_t fitting = 0;  // cells that hold the value of their source
  int64_t telling = 0;  // those of them whose own reference is another value
};

template <class Source>
std::optional<Moved> all_moved(const Field& field, const Closeness& closeness, Source source) {
  Moved moved;
  for (int64_t i = 0; i < field.size(); ++i) {
    const int64_t from = source(i);
    if (from < 0) continue;
    const double value = field.expected(from);
    if (!closeness.close(field.got(i), value)) return std::nullopt;
    ++moved.fitting;
    moved.telling += !closeness.close(field.expected(i), value);
  }
  return moved;
}

// Each plane [rows][columns] was written as [columns][rows].
std::optional<Pattern> transposed(const Field& field, const Closeness& closeness) {
  if (field.rows() < 2 || field.columns() < 2) return std::nullopt;
  const auto moved = all_moved(field, closeness, [&](int64_t i) {
    const Cell at = field.cell(i);
    const int64_t position = at.row * field.columns() + at.column;
    return field.index({at.image, at.channel, position % field.rows(), position / field.rows()});
  });
  if (!moved || moved->telling < 2) return std::nullopt;
  return Pattern{"transposed_output", "Rows and columns of the output are exchanged.",
                 "In memory the rows of an image follow one another: element (i, j) lies at "
                 "i * ow + j."};
}

// Every image, or every channel, holds what the first one does, and that one is right.
bool first_repeated(const Field& field, int64_t Cell::*axis, int64_t extent) {
  if (extent < 2 || field.size() / extent < 2) return false;
  for (int64_t i = 0; i < field.size(); ++i) {
    Cell at = field.cell(i);
    if (at.*axis == 0 && field.bad(i)) return false;
    at.*axis = 0;
    if (field.got(i) != field.got(field.index(at))) return false;
  }
  return true;
}

std::string with_offset(const char* index, int64_t offset) {
  if (offset == 0) return index;
  return fmt::format("{}{:+d}", index, offset);
}

std::optional<Pattern> shifted(const Field& field, const Closeness& closeness) {
  constexpr int64_t kFarthest = 3;
  if (field.evidence().got.dims.size() != 4) return std::nullopt;
  const auto fits = [&](int64_t down, int64_t across) {
    const auto moved = all_moved(field, closeness, [&](int64_t i) {
      Cell at = field.cell(i);
      at.row += down;
      at.column += across;
      const bool inside =
          at.row >= 0 && at.row < field.rows() && at.column >= 0 && at.column < field.columns();
      return inside ? field.index(at) : -1;
    });
    return moved && 2 * moved->fitting >= field.size() && moved->telling >= kFewestMoved;
  };
  for (int64_t far = 1; far <= 2 * kFarthest; ++far) {
    for (int64_t down = -std::min(far, kFarthest); down <= std::min(far, kFarthest); ++down) {
      const int64_t side = far - std::abs(down);
      if (side > kFarthest) continue;
      for (int64_t across : {-side, side}) {
        if (!fits(down, across)) continue;
        return Pattern{"shifted_output",
                       fmt::format("The output is shifted: "
                                   "{0}[n,m,i,j] holds what belongs at {0}[n,m,{1},{2}].",
                                   field.evidence().got.name, with_offset("i", down),
                                   with_offset("j", across)),
                       field.is_padded()
                           ? "Where does the first window start? With padding it starts at -pad."
                           : "Where does the first window start?"};
      }
    }
  }
  return std::nullopt;
}

std::optional<Pattern> reordered(const Field& field, const Closeness& closeness) {
  constexpr int64_t kMost = 1 << 20;  // 16 MB for the two sorted copies
  if (field.size() > kMost || field.evidence().comparison.wrong < kFewestMoved) return std::nullopt;
  std::vector<double> got, expected;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (std::isnan(field.got(i)) || std::isnan(field.expected(i))) return std::nullopt;
    got.push_back(field.got(i));
    expected.push_back(field.expected(i));
  }
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  for (size_t i = 0; i < got.size(); ++i) {
    if (!closeness.close(got[i], expected[i])) return std::nullopt;
  }
  return Pattern{"reordered_output", "The right values are all there, but in a different order.",
                 "Write down the index of one element as a sum of coordinate times stride and "
                 "compare it with the layout that the handout asks for."};
}

// Each image was written over the end of the one before, and what lies behind the last by none.
std::optional<std::vector<double>> images_too_close(const Evidence& evidence) {
  const std::span<const double> expected = evidence.reference.f64;
  const std::span<const float> got = evidence.got.f32;
  const std::vector<int64_t>& dims = evidence.reference.dims;
  if (dims.size() < 2 || dims[0] < 2 || expected.empty() || got.size() != expected.size()) {
    return std::nullopt;
  }
  const int64_t images = dims[0], whole = int64_t(expected.size()) / images;
  auto end = int64_t(got.size());
  while (end > 0 && std::isnan(got[size_t(end - 1)])) --end;
  if (end <= whole || end == int64_t(got.size()) || (end - whole) % (images - 1) != 0) {
    return std::nullopt;
  }
  const int64_t apart = (end - whole) / (images - 1);
  std::vector<double> y(expected.size(), predicted_unwritten());
  for (int64_t image = 0; image < images; ++image) {
    std::ranges::copy(expected.subspan(size_t(image * whole), size_t(whole)),
                      y.begin() + image * apart);
  }
  return y;
}

constexpr MistakeModel kMistakes[] = {
    {"images_too_close", "*",
     "The images of the output are written too close together: each begins inside the one before, "
     "as if it had the size of another tensor's image.",
     "An image begins at its number times the size of the output's own images: the channels, rows "
     "and columns of the tensor that is written.",
     images_too_close}};
const RegisterMistakes kMistakesRegistered(kMistakes);

}  // namespace

std::optional<Pattern> moved_values(const Field& field) {
  const Closeness closeness(field.evidence());
  if (auto pattern = transposed(field, closeness)) return pattern;
  if (first_repeated(field, &Cell::image, field.images())) {
    return Pattern{"only_first_image", "Every image holds the result of image 0.",
                   "Does the index into x depend on the image?"};
  }
  if (first_repeated(field, &Cell::channel, field.channels())) {
    return Pattern{"", "Every channel holds the result of channel 0.",
                   "Does the index into w (or x) depend on the channel?"};
  }
  if (auto pattern = shifted(field, closeness)) return pattern;
  return reordered(field, closeness);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "profile/trace_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "drawing/svg.h"
#include "profile/card.h"
#include "profile/trace_words.h"
#include "profile/words.h"

namespace convkit {
namespace {

constexpr size_t kMostRows = 120;
constexpr double kMargin = 16, kTop = 84, kRow = 18, kCell = 34, kLabels = 330, kCosts = 150;

// Pale enough for dark text on it.
const char* colour(const ProfiledStep& step) {
  const bool shared = step.kind.starts_with("shared");
  if (step.kind.ends_with("atomic")) return "#f4c7c3";
  if (step.kind.ends_with("store")) return shared ? "#fff0b8" : "#f9d9a8";
  return shared ? "#d5f0d0" : "#cfe2f7";
}

}  // namespace

std::string draw_trace(const ProfiledKernel& kernel) {
  const ProfiledTrace& trace = *kernel.trace;
  const size_t rows = std::min(kMostRows, trace.steps.size());
  const double left = kMargin + kLabels, right = left + kLanesOfWarp * kCell;
  const bool all = rows == trace.steps.size();
  SvgPicture picture(right + kCosts + kMargin,
                     kTop + kRow * static_cast<double>(rows + (all ? 0 : 1)) + kMargin,
                     "What one warp accesses, step by step");
  picture.text(kMargin, 28, warp_words(kernel), 15, SvgPicture::Anchor::start, SvgPicture::kInk,
               true);
  picture.text(
      kMargin, 48,
      "A cell is the number of the element that a lane accesses. Blue: global load, orange: "
      "global store, green: shared load, yellow: shared store, red: atomic.",
      12, SvgPicture::Anchor::start, SvgPicture::kSoft);
  for (unsigned lane = 0; lane < kLanesOfWarp; ++lane) {
    picture.text(left + (lane + 0.5) * kCell, kTop - 6, std::to_string(lane), 10,
                 SvgPicture::Anchor::middle, SvgPicture::kSoft);
  }
  picture.text(left - 8, kTop - 6, "lane", 10, SvgPicture::Anchor::end, SvgPicture::kSoft);
  for (size_t row = 0; row < rows; ++row) {
    const ProfiledStep& step = trace.steps[row];
    const double y = kTop + kRow * static_cast<double>(row), middle = y + kRow / 2 + 4;
    picture.text(kMargin, middle, fmt::format("{}:{}", file_words(step.file), step.line), 11,
                 SvgPicture::Anchor::start, SvgPicture::kSoft);
    if (step.kind == "barrier") {
      picture.text(left - 8, middle, "barrier", 11, SvgPicture::Anchor::end);
      picture.line({{left, y + kRow / 2}, {right, y + kRow / 2}}, SvgPicture::kInk, 2);
      continue;
    }
    picture.text(left - 8, middle, kind_words(step.kind) + " " + step.place, 11,
                 SvgPicture::Anchor::end);
    for (size_t lane = 0; lane < step.elements.size(); ++lane) {
      if (!step.elements[lane]) continue;
      const double x = left + static_cast<double>(lane) * kCell;
      picture.box(x + 0.5, y + 0.5, kCell - 1, kRow - 1, colour(step));
      picture.text(x + kCell / 2, middle, std::to_string(*step.elements[lane]), 9,
                   SvgPicture::Anchor::middle);
    }
    picture.text(right + 8, middle, cost_words(step), 11);
  }
  if (!all) {
    picture.text(kMargin, kTop + kRow * static_cast<double>(rows) + kRow,
                 fmt::format("The first {} of {} steps.", rows, trace.steps.size()), 12);
  }
  return picture.finish();
}

}  // namespace convkit

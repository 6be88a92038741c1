// SPDX-License-Identifier: MIT
#include "profile/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/svg.h"
#include "profile/card.h"
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

namespace {

constexpr double kPlotWidth = 640, kPlotHeight = 340, kPlotLeft = 84, kPlotRight = 24,
                 kPlotTop = 56, kPlotBottom = 56;
constexpr const char* kRoof = "#1f4e79";
constexpr const char* kKernel = "#d6421f";

// A range of powers of ten, drawn from `from` to `to` in pixels.
struct Axis {
  int first, last;
  double from, to;
  double at(double value) const {
    return from + (to - from) * (std::log10(value) - first) / (last - first);
  }
};

int decade_below(double value) {
  return static_cast<int>(std::floor(std::log10(value)));
}
int decade_above(double value) {
  return static_cast<int>(std::ceil(std::log10(value)));
}

// Beside it, on the side where there is more room.
void draw_dot(SvgPicture& picture, double x, double y, const std::string& words,
              const char* colour) {
  const bool left = x > kPlotWidth / 2;
  picture.dot(x, y, 5, colour);
  picture.text(left ? x - 9 : x + 9, left ? y + 20 : y + 14, words, 11,
               left ? SvgPicture::Anchor::end : SvgPicture::Anchor::start, colour);
}

std::string power_of_ten(int exponent) {
  return fmt::format("{:g}", std::pow(10, exponent));
}

void draw_grid(SvgPicture& picture, const Axis& x, const Axis& y) {
  for (int decade = x.first; decade <= x.last; ++decade) {
    const double at = x.at(std::pow(10, decade));
    picture.line({{at, y.from}, {at, y.to}}, SvgPicture::kGrid);
    picture.text(at, y.from + 18, power_of_ten(decade), 11, SvgPicture::Anchor::middle);
  }
  for (int decade = y.first; decade <= y.last; ++decade) {
    const double at = y.at(std::pow(10, decade));
    picture.line({{x.from, at}, {x.to, at}}, SvgPicture::kGrid);
    picture.text(x.from - 8, at + 4, power_of_ten(decade), 11, SvgPicture::Anchor::end);
  }
  picture.text((x.from + x.to) / 2, kPlotHeight - 16, "FLOP for each byte", 12,
               SvgPicture::Anchor::middle);
  picture.vertical_text(20, (y.from + y.to) / 2, "GFLOP/s", 12);
}

}  // namespace

std::string draw_roofline(const std::string& kernel, const Roofline& roofline) {
  const double intensity = roofline.intensity(), l1 = roofline.l1_intensity();
  if (!std::isfinite(intensity)) return "";
  const bool has_l1 = std::isfinite(l1);
  const double bandwidth = roofline.card->memory_gb_s, ridge = roofline.peak / bandwidth;
  const double lowest = std::min({intensity, has_l1 ? l1 : intensity, 0.1});
  const Axis x{decade_below(lowest), decade_above(std::max({intensity, 10 * ridge})), kPlotLeft,
               kPlotWidth - kPlotRight};
  const double left = std::pow(10, x.first), right = std::pow(10, x.last);
  const Axis y{decade_below(std::min(roofline.attainable, left * bandwidth)),
               decade_above(roofline.peak), kPlotHeight - kPlotBottom, kPlotTop};

  SvgPicture picture(kPlotWidth, kPlotHeight,
                     fmt::format("The roofline of {}", roofline.card->name));
  picture.text(16, 24, fmt::format("{} on {}", kernel, roofline.card->name), 14,
               SvgPicture::Anchor::start, SvgPicture::kInk, true);
  draw_grid(picture, x, y);
  const double flat = y.at(roofline.peak);
  picture.line({{x.at(left), y.at(left * bandwidth)}, {x.at(ridge), flat}, {x.at(right), flat}},
               kRoof, 2);
  picture.text(x.to, flat - 6, fmt::format("{:.0f} GFLOP/s", roofline.peak), 11,
               SvgPicture::Anchor::end, kRoof);
  picture.text(x.at(ridge), flat - 6, fmt::format("ridge at {:.1f}", ridge), 11,
               SvgPicture::Anchor::end, kRoof);
  if (has_l1) {
    draw_dot(picture, x.at(l1), y.at(std::min(roofline.ceiling, l1 * bandwidth)),
             fmt::format("{:.2g} in L1", l1), SvgPicture::kSoft);
  }
  draw_dot(picture, x.at(intensity), y.at(roofline.attainable),
           fmt::format("{:.3g} at most: {:.0f} GFLOP/s", intensity, roofline.attainable), kKernel);
  return picture.finish();
}

}  // namespace convkit

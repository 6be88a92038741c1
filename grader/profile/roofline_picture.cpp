// SPDX-License-Identifier: MIT
#include "profile/roofline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/svg.h"

namespace convkit {
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

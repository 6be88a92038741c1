// SPDX-License-Identifier: MIT
#include "drawing/bar_chart.h"

#include <algorithm>

#include "drawing/svg.h"

namespace convkit {
namespace {

constexpr double kWidth = 760, kMargin = 24, kTop = 72, kBar = 20, kBetween = 12, kHead = 26;
constexpr double kFigures = 84;  // room for the figure behind the longest bar

}  // namespace

std::string draw(const BarChart& chart) {
  using Anchor = SvgPicture::Anchor;
  size_t longest = 0;
  for (const std::string& step : chart.steps) longest = std::max(longest, step.size());
  const double left = kMargin + std::min(340.0, 7.0 * static_cast<double>(longest) + 12);
  const double block = kHead + static_cast<double>(chart.steps.size()) * (kBar + kBetween);
  SvgPicture svg(kWidth, kTop + static_cast<double>(chart.series.size()) * (block + kMargin));
  svg.text(kMargin, 30, chart.title, 16, Anchor::start, SvgPicture::kInk, true);
  svg.text(kMargin, 50, chart.subtitle, 12, Anchor::start, SvgPicture::kSoft);
  double y = kTop;
  for (const BarSeries& series : chart.series) {
    svg.text(left, y + 12, series.title, 12, Anchor::start, SvgPicture::kSoft);
    double most = 0;
    for (const auto& value : series.values) most = std::max(most, value.value_or(0));
    double at = y + kHead;
    for (size_t i = 0; i < chart.steps.size(); ++i, at += kBar + kBetween) {
      svg.text(left - 8, at + kBar - 5, chart.steps[i], 13, Anchor::end);
      const std::optional<double>& value = series.values[i];
      const double share = value && most > 0 ? *value / most : 0;
      const double length = share * (kWidth - left - kMargin - kFigures);
      if (value) svg.box(left, at, std::max(length, 1.0), kBar, shade(0.75));
      svg.text(left + length + 8, at + kBar - 5, value ? short_figure(*value) : "-", 13);
    }
    y += block + kMargin;
  }
  return svg.finish();
}

}  // namespace convkit

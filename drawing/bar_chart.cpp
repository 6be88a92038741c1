// SPDX-License-Identifier: MIT
#include "drawing/bar_chart.h"

#include <algorithm>

#include "drawing/svg.h"

namespace convkit {
namespace {

constexpr double kBarsWidth = 760, kBarsMargin = 24, kBarsTop = 72, kBarsBar = 20, kBetween = 12,
                 kHead = 26;
constexpr double kBarsFigures = 84;  // room for the figure behind the longest bar

}  // namespace

std::string draw(const BarChart& chart) {
  using Anchor = SvgPicture::Anchor;
  size_t longest = 0;
  for (const std::string& step : chart.steps) longest = std::max(longest, step.size());
  const double left = kBarsMargin + std::min(340.0, 7.0 * static_cast<double>(longest) + 12);
  const double block = kHead + static_cast<double>(chart.steps.size()) * (kBarsBar + kBetween);
  SvgPicture svg(kBarsWidth,
                 kBarsTop + static_cast<double>(chart.series.size()) * (block + kBarsMargin));
  svg.text(kBarsMargin, 30, chart.title, 16, Anchor::start, SvgPicture::kInk, true);
  svg.text(kBarsMargin, 50, chart.subtitle, 12, Anchor::start, SvgPicture::kSoft);
  double y = kBarsTop;
  for (const BarSeries& series : chart.series) {
    svg.text(left, y + 12, series.title, 12, Anchor::start, SvgPicture::kSoft);
    double most = 0;
    for (const auto& value : series.values) most = std::max(most, value.value_or(0));
    double at = y + kHead;
    for (size_t i = 0; i < chart.steps.size(); ++i, at += kBarsBar + kBetween) {
      svg.text(left - 8, at + kBarsBar - 5, chart.steps[i], 13, Anchor::end);
      const std::optional<double>& value = series.values[i];
      const double share = value && most > 0 ? *value / most : 0;
      const double length = share * (kBarsWidth - left - kBarsMargin - kBarsFigures);
      if (value) svg.box(left, at, std::max(length, 1.0), kBarsBar, shade(0.75));
      svg.text(left + length + 8, at + kBarsBar - 5, value ? short_figure(*value) : "-", 13);
    }
    y += block + kBarsMargin;
  }
  return svg.finish();
}

}  // namespace convkit

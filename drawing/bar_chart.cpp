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

namespace {

constexpr double kGroupsMargin = 24, kGroupsTop = 96, kGroupsBar = 11, kBetweenRows = 12,
                 kPanel = 300;
constexpr double kGroupsFigures = 60;  // room for the figure behind the longest bar
constexpr double kGroupsLetter = 7;

double longest(const std::vector<std::string>& texts) {
  size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, text.size());
  return kGroupsLetter * static_cast<double>(most);
}

// The colour of group `index`, from pale to dark.
std::string colour(size_t index, size_t groups) {
  return shade(0.25 + 0.7 * static_cast<double>(index + 1) / static_cast<double>(groups));
}

}  // namespace

std::string draw(const GroupedBars& chart) {
  using Anchor = SvgPicture::Anchor;
  const double left = kGroupsMargin + longest(chart.rows) + 12;
  const auto groups = static_cast<double>(chart.groups.size());
  const double row_height = groups * kGroupsBar + kBetweenRows;
  const double width = left + static_cast<double>(chart.panels.size()) * (kPanel + kGroupsMargin);
  SvgPicture svg(width,
                 kGroupsTop + static_cast<double>(chart.rows.size()) * row_height + kGroupsMargin);
  svg.text(kGroupsMargin, 30, chart.title, 16, Anchor::start, SvgPicture::kInk, true);
  svg.text(kGroupsMargin, 48, chart.subtitle, 12, Anchor::start, SvgPicture::kSoft);
  double legend = left;
  for (size_t g = 0; g < chart.groups.size(); ++g) {
    svg.box(legend, 58, 10, 10, colour(g, chart.groups.size()));
    svg.text(legend + 14, 67, chart.groups[g], 11, Anchor::start, SvgPicture::kSoft);
    legend += 14 + kGroupsLetter * static_cast<double>(chart.groups[g].size()) + 16;
  }
  for (size_t p = 0; p < chart.panels.size(); ++p) {
    const GroupedBars::Panel& panel = chart.panels[p];
    const double x = left + static_cast<double>(p) * (kPanel + kGroupsMargin);
    svg.text(x, kGroupsTop - 8, panel.title, 12, Anchor::start, SvgPicture::kSoft);
    double most = 0;
    for (const auto& row : panel.values) {
      for (const auto& value : row) most = std::max(most, value.value_or(0));
    }
    for (size_t r = 0; r < chart.rows.size(); ++r) {
      double y = kGroupsTop + static_cast<double>(r) * row_height;
      if (p == 0) {
        svg.text(left - 8, y + groups * kGroupsBar / 2 + 4, chart.rows[r], 12, Anchor::end);
      }
      for (size_t g = 0; g < chart.groups.size(); ++g, y += kGroupsBar) {
        const std::optional<double>& value = panel.values[r][g];
        const double length = value && most > 0 ? *value / most * (kPanel - kGroupsFigures) : 0;
        if (value) {
          svg.box(x, y, std::max(length, 1.0), kGroupsBar - 1, colour(g, chart.groups.size()));
        }
        svg.text(x + length + 5, y + kGroupsBar - 2, value ? short_figure(*value) : "-", 10);
      }
    }
  }
  return svg.finish();
}

}  // namespace convkit

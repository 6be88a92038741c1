// SPDX-License-Identifier: MIT
#include "drawing/charts.h"

#include <algorithm>
#include <limits>

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

namespace {

constexpr double kCellWidth = 92, kCellHeight = 44, kMapTop = 104, kMapMargin = 24;
// The width of a letter as a share of the font's size: enough for any text of these pictures.
constexpr double kMapLetter = 0.58;

double text_width(const std::string& text, double size) {
  return kMapLetter * size * static_cast<double>(text.size());
}

}  // namespace

std::string draw(const HeatMap& map) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const auto& row : map.cells) {
    for (const auto& cell : row) {
      if (!cell) continue;
      least = std::min(least, *cell);
      most = std::max(most, *cell);
    }
  }
  const double best = map.more_is_better ? most : least;
  const auto columns = static_cast<double>(map.columns.size());
  const auto rows = static_cast<double>(map.rows.size());
  const double left = kMapMargin + std::max(48.0, text_width(map.down, 12)) + 12;
  const double width =
      std::max({left + columns * kCellWidth, kMapMargin + text_width(map.title, 16),
                kMapMargin + text_width(map.subtitle, 12)});
  SvgPicture svg(width + kMapMargin, kMapTop + rows * kCellHeight + 2 * kMapMargin);
  using Anchor = SvgPicture::Anchor;
  svg.text(kMapMargin, 30, map.title, 16, Anchor::start, SvgPicture::kInk, true);
  svg.text(kMapMargin, 50, map.subtitle, 12, Anchor::start, SvgPicture::kSoft);
  svg.text(left, kMapTop - 26, map.across, 12, Anchor::start, SvgPicture::kSoft);
  svg.text(kMapMargin, kMapTop - 8, map.down, 12, Anchor::start, SvgPicture::kSoft);
  for (size_t c = 0; c < map.columns.size(); ++c) {
    svg.text(left + (static_cast<double>(c) + 0.5) * kCellWidth, kMapTop - 8, map.columns[c], 13,
             Anchor::middle);
  }
  for (size_t r = 0; r < map.rows.size(); ++r) {
    const double y = kMapTop + static_cast<double>(r) * kCellHeight;
    svg.text(left - 10, y + kCellHeight / 2 + 5, map.rows[r], 13, Anchor::end);
    for (size_t c = 0; c < map.columns.size(); ++c) {
      const double x = left + static_cast<double>(c) * kCellWidth;
      const std::optional<double>& cell = map.cells[r][c];
      const double range = most - least;
      const double rank = !cell ? 0 : range == 0 ? 1 : (*cell - least) / range;
      const double share = map.more_is_better ? rank : 1 - rank;
      svg.box(x + 1, y + 1, kCellWidth - 2, kCellHeight - 2, cell ? shade(share) : "#f5f5f5",
              cell && *cell == best ? "#d9480f" : "none");
      svg.text(x + kCellWidth / 2, y + kCellHeight / 2 + 5, cell ? short_figure(*cell) : "-", 14,
               Anchor::middle, cell ? ink_on(share) : SvgPicture::kSoft, cell && *cell == best);
    }
  }
  svg.text(left, kMapTop + rows * kCellHeight + kMapMargin, map.unit, 12, Anchor::start,
           SvgPicture::kSoft);
  return svg.finish();
}

}  // namespace convkit

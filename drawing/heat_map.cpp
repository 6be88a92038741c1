// SPDX-License-Identifier: MIT
#include "drawing/heat_map.h"

#include <algorithm>
#include <limits>

#include "drawing/svg.h"

namespace convkit {
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

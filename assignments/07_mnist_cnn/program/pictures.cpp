// SPDX-License-Identifier: MIT
#include "pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convkit/atomic_file.h"
#include "drawing/svg.h"

namespace convkit::train {
namespace {

using Anchor = SvgPicture::Anchor;

SvgPicture picture(double width, double height, const std::string& title) {
  SvgPicture svg(width, height, title);
  svg.text(16, 22, title, 14);
  return svg;
}

void label(SvgPicture& svg, double x, double y, const std::string& text,
           Anchor anchor = Anchor::middle, const char* colour = SvgPicture::kInk) {
  svg.text(x, y, text, 12, anchor, colour);
}

// One panel of curves: values over epochs 1, 2, ...
struct Panel {
  SvgPicture& svg;
  double left, top, width, height, low, high;
  size_t epochs;

  double x(size_t epoch) const {  // counted from 0
    return epochs < 2 ? left + width / 2 : left + width * double(epoch) / double(epochs - 1);
  }
  double y(double value) const {
    const double share = (std::clamp(value, low, high) - low) / (high - low);
    return top + height * (1 - share);
  }
  void frame(const std::string& title, int digits) const {
    label(svg, left, top - 8, title, Anchor::start);
    for (int i = 0; i <= 4; ++i) {
      const double value = low + (high - low) * i / 4;
      svg.line({{left, y(value)}, {left + width, y(value)}}, SvgPicture::kGrid);
      label(svg, left - 6, y(value) + 4, fmt::format("{:.{}f}", value, digits), Anchor::end);
    }
    const size_t step = std::max<size_t>(1, (epochs + 9) / 10);
    for (size_t e = 0; e < epochs; e += step) {
      label(svg, x(e), top + height + 16, std::to_string(e + 1));
    }
    label(svg, left + width / 2, top + height + 32, "epoch");
  }
  void curve(const std::vector<float>& values, const char* colour, const std::string& name,
             double name_y) const {
    std::vector<std::pair<double, double>> points;
    for (size_t e = 0; e < values.size(); ++e) points.emplace_back(x(e), y(values[e]));
    svg.line(points, colour, 2);
    for (const auto& [px, py] : points) svg.dot(px, py, 2.5, colour);
    label(svg, left + width - 6, name_y, name, Anchor::end, colour);
  }
};

}  // namespace

void draw_curves(const std::filesystem::path& file, const std::string& title,
                 const History& history) {
  const size_t epochs = history.loss.size();
  float most = 0.1f, least = 1.0f;
  for (const float loss : history.loss) {
    if (std::isfinite(loss)) most = std::max(most, loss);
  }
  for (const auto* list : {&history.accuracy, &history.test_accuracy}) {
    for (const float value : *list) least = std::min(least, value);
  }
  SvgPicture svg = picture(664, 320, title);
  const Panel loss{svg, 60, 66, 250, 200, 0, most, epochs};
  // From the next multiple of 5 % below, but never the last line alone.
  const double floor = std::min(0.95, std::floor(double(least) * 20) / 20);
  const Panel accuracy{svg, 390, 66, 250, 200, floor, 1, epochs};
  loss.frame("mean loss of the training images", 2);
  loss.curve(history.loss, "#b2182b", "", 0);
  accuracy.frame("accuracy", 3);
  accuracy.curve(history.accuracy, "#2166ac", "training", 250);
  accuracy.curve(history.test_accuracy, "#1b7837", "test", 234);
  write_whole(file, svg.finish());
}

void draw_confusion(const std::filesystem::path& file, const std::string& title,
                    const std::vector<int>& counts, int classes) {
  constexpr double kCell = 40, kLeft = 60, kTop = 70;
  SvgPicture svg = picture(kLeft + kCell * classes + 24, kTop + kCell * classes + 24, title);
  label(svg, kLeft + kCell * classes / 2, kTop - 26, "the network's answer");
  svg.vertical_text(22, kTop + kCell * classes / 2, "label", 12);
  for (int row = 0; row < classes; ++row) {
    int total = 0;
    for (int col = 0; col < classes; ++col) {
      total += counts[static_cast<size_t>(row * classes + col)];
    }
    label(svg, kLeft + kCell * (row + 0.5), kTop - 8, std::to_string(row));
    label(svg, kLeft - 10, kTop + kCell * (row + 0.5) + 4, std::to_string(row), Anchor::end);
    for (int col = 0; col < classes; ++col) {
      const int count = counts[static_cast<size_t>(row * classes + col)];
      const double share = total > 0 ? double(count) / total : 0;
      // Mistakes are few: the root makes them visible.
      const std::string fill = blue_to_red(row == col ? -share : std::sqrt(share));
      svg.box(kLeft + kCell * col, kTop + kCell * row, kCell, kCell, fill, SvgPicture::kGrid);
      if (count > 0) {
        label(svg, kLeft + kCell * (col + 0.5), kTop + kCell * (row + 0.5) + 4,
              std::to_string(count), Anchor::middle,
              row == col && share > 0.5 ? "#ffffff" : SvgPicture::kInk);
      }
    }
  }
  write_whole(file, svg.finish());
}

void draw_filters(const std::filesystem::path& file, const std::string& title,
                  const std::vector<float>& w, int m, int c, int kh, int kw) {
  constexpr double kPixel = 8, kGap = 8, kTop = 40, kLeft = 16;
  const int shown = std::min(256, m * c);
  const int across = c > 1 ? std::min(c, 16) : std::min(shown, 8);
  const int down = (shown + across - 1) / across;
  float most = 0;
  for (const float value : w) most = std::max(most, std::abs(value));
  if (!(most > 0)) most = 1;
  SvgPicture svg = picture(std::max(240.0, 2 * kLeft + across * (kw * kPixel + kGap)),
                           kTop + down * (kh * kPixel + kGap) + 8, title);
  for (int i = 0; i < shown; ++i) {
    const double left = kLeft + (i % across) * (kw * kPixel + kGap);
    const double top = kTop + (i / across) * (kh * kPixel + kGap);
    for (int p = 0; p < kh; ++p) {
      for (int q = 0; q < kw; ++q) {
        const float value = w[static_cast<size_t>((i * kh + p) * kw + q)];
        svg.box(left + q * kPixel, top + p * kPixel, kPixel, kPixel,
                blue_to_red(double(value / most)));
      }
    }
    svg.box(left, top, kw * kPixel, kh * kPixel, "none", SvgPicture::kGrid);
  }
  write_whole(file, svg.finish());
}

}  // namespace convkit::train

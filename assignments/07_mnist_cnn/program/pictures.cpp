// SPDX-License-Identifier: MIT
#include "pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "convkit/atomic_file.h"

namespace convkit::train {
namespace {

constexpr const char* kInk = "#24292f";
constexpr const char* kGrid = "#d0d7de";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return result;
}

std::string svg(double width, double height, const std::string& title, const std::string& body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"{2}\">\n"
      "<title>{3}</title>\n<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n"
      "<text x=\"16\" y=\"22\" font-size=\"14\">{3}</text>\n{4}</svg>\n",
      width, height, kInk, escaped(title), body);
}

std::string label(double x, double y, const std::string& text, const char* anchor = "middle",
                  const char* colour = kInk) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                     x, y, anchor, colour, escaped(text));
}

// One panel of curves: values over epochs 1, 2, ...
struct Panel {
  double left, top, width, height, low, high;
  size_t epochs;

  double x(size_t epoch) const {  // counted from 0
    return epochs < 2 ? left + width / 2 : left + width * double(epoch) / double(epochs - 1);
  }
  double y(double value) const {
    const double share = (std::clamp(value, low, high) - low) / (high - low);
    return top + height * (1 - share);
  }
  std::string frame(const std::string& title, const char* format) const {
    std::string out = label(left, top - 8, title, "start");
    for (int i = 0; i <= 4; ++i) {
      const double value = low + (high - low) * i / 4;
      out += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\"/>\n", left, y(value),
                         width, kGrid);
      out += label(left - 6, y(value) + 4, fmt::format(fmt::runtime(format), value), "end");
    }
    const size_t step = std::max<size_t>(1, (epochs + 9) / 10);
    for (size_t e = 0; e < epochs; e += step) {
      out += label(x(e), top + height + 16, std::to_string(e + 1));
    }
    return out + label(left + width / 2, top + height + 32, "epoch");
  }
  std::string curve(const std::vector<float>& values, const char* colour, const std::string& name,
                    double name_y) const {
    std::string points, dots;
    for (size_t e = 0; e < values.size(); ++e) {
      points += fmt::format("{:.1f},{:.1f} ", x(e), y(values[e]));
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x(e),
                          y(values[e]), colour);
    }
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                       points, colour) +
           dots + label(left + width - 6, name_y, name, "end", colour);
  }
};

// Blue below 0, white at 0, red above; value from -1 to 1.
std::string heat(double value) {
  const double strength = std::min(1.0, std::abs(value));
  const auto mix = [&](double to) {
    return static_cast<int>(std::lround(255 + (to - 255) * strength));
  };
  return value < 0 ? fmt::format("#{:02x}{:02x}{:02x}", mix(33), mix(102), mix(172))
                   : fmt::format("#{:02x}{:02x}{:02x}", mix(178), mix(24), mix(43));
}

}  // namespace

void write_text(const std::filesystem::path& file, const std::string& text) {
  AtomicFile out(file);
  out.append(std::as_bytes(std::span(text.data(), text.size())));
  out.commit();
}

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
  const Panel loss{60, 66, 250, 200, 0, most, epochs};
  // From the next multiple of 5 % below, but never the last line alone.
  const double floor = std::min(0.95, std::floor(double(least) * 20) / 20);
  const Panel accuracy{390, 66, 250, 200, floor, 1, epochs};
  const std::string body = loss.frame("mean loss of the training images", "{:.2f}") +
                           loss.curve(history.loss, "#b2182b", "", 0) +
                           accuracy.frame("accuracy", "{:.3f}") +
                           accuracy.curve(history.accuracy, "#2166ac", "training", 250) +
                           accuracy.curve(history.test_accuracy, "#1b7837", "test", 234);
  write_text(file, svg(664, 320, title, body));
}

void draw_confusion(const std::filesystem::path& file, const std::string& title,
                    const std::vector<int>& counts, int classes) {
  constexpr double kCell = 40, kLeft = 60, kTop = 70;
  std::string body = label(kLeft + kCell * classes / 2, kTop - 26, "the network's answer");
  body += fmt::format(
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">label</text>\n",
      kTop + kCell * classes / 2);
  for (int row = 0; row < classes; ++row) {
    int total = 0;
    for (int col = 0; col < classes; ++col) {
      total += counts[static_cast<size_t>(row * classes + col)];
    }
    body += label(kLeft + kCell * (row + 0.5), kTop - 8, std::to_string(row));
    body += label(kLeft - 10, kTop + kCell * (row + 0.5) + 4, std::to_string(row), "end");
    for (int col = 0; col < classes; ++col) {
      const int count = counts[static_cast<size_t>(row * classes + col)];
      const double share = total > 0 ? double(count) / total : 0;
      // Mistakes are few: the root makes them visible.
      const std::string fill = row == col ? heat(-share) : heat(std::sqrt(share));
      body += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\" "
          "stroke=\"{}\"/>\n",
          kLeft + kCell * col, kTop + kCell * row, kCell, kCell, fill, kGrid);
      if (count > 0) {
        body +=
            label(kLeft + kCell * (col + 0.5), kTop + kCell * (row + 0.5) + 4,
                  std::to_string(count), "middle", row == col && share > 0.5 ? "#ffffff" : kInk);
      }
    }
  }
  write_text(file, svg(kLeft + kCell * classes + 24, kTop + kCell * classes + 24, title, body));
}

void draw_filters(const std::filesystem::path& file, const std::string& title,
                  const std::vector<float>& w, int m, int c, int kh, int kw) {
  constexpr double kPixel = 8, kGap = 8, kTop = 40, kLeft = 16;
  const int shown = std::min(256, m * c);
  const int across = c > 1 ? std::min(c, 16) : std::min(shown, 8);
  float most = 0;
  for (const float value : w) most = std::max(most, std::abs(value));
  if (!(most > 0)) most = 1;
  std::string body;
  for (int i = 0; i < shown; ++i) {
    const double left = kLeft + (i % across) * (kw * kPixel + kGap);
    const double top = kTop + (i / across) * (kh * kPixel + kGap);
    for (int p = 0; p < kh; ++p) {
      for (int q = 0; q < kw; ++q) {
        const float value = w[static_cast<size_t>((i * kh + p) * kw + q)];
        body += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\"/>\n",
            left + q * kPixel, top + p * kPixel, kPixel, kPixel, heat(double(value / most)));
      }
    }
    body += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" "
        "stroke=\"{}\"/>\n",
        left, top, kw * kPixel, kh * kPixel, kGrid);
  }
  const int down = (shown + across - 1) / across;
  write_text(file, svg(std::max(240.0, 2 * kLeft + across * (kw * kPixel + kGap)),
                       kTop + down * (kh * kPixel + kGap) + 8, title, body));
}

}  // namespace convkit::train

// SPDX-License-Identifier: MIT
#include "drawing/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace convkit {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char ch : text) {
    if (ch == '<') {
      out += "&lt;";
    } else if (ch == '>') {
      out += "&gt;";
    } else if (ch == '&') {
      out += "&amp;";
    } else if (ch == '"') {
      out += "&quot;";
    } else {
      out += ch;
    }
  }
  return out;
}

}  // namespace

SvgPicture::SvgPicture(double width, double height, const std::string& name)
    : body_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
          "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"sans-serif\">\n"
          "{2}<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n",
          width, height, name.empty() ? "" : "<title>" + escaped(name) + "</title>\n")) {}

void SvgPicture::text(double x, double y, const std::string& text, double size, Anchor anchor,
                      const char* fill, bool bold) {
  static constexpr const char* kAnchors[] = {"start", "middle", "end"};
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" "
      "text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
      x, y, size, kAnchors[static_cast<int>(anchor)], fill, bold ? " font-weight=\"bold\"" : "",
      escaped(text));
}

void SvgPicture::vertical_text(double x, double y, const std::string& text, double size) {
  body_ += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" font-size=\"{:g}\" "
      "text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
      x, y, size, kInk, escaped(text));
}

void SvgPicture::box(double x, double y, double width, double height, const std::string& fill,
                     const char* stroke) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "stroke=\"{}\"/>\n",
      x, y, width, height, fill, stroke);
}

void SvgPicture::line(const std::vector<std::pair<double, double>>& points, const char* stroke,
                      double width) {
  std::string list;
  for (const auto& [x, y] : points) {
    list += fmt::format("{}{:.1f},{:.1f}", list.empty() ? "" : " ", x, y);
  }
  body_ +=
      fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n",
                  list, stroke, width);
}

void SvgPicture::dot(double x, double y, double radius, const char* fill) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\"/>\n", x, y,
                       radius, fill);
}

std::string SvgPicture::finish() const {
  return body_ + "</svg>\n";
}

namespace {

// `share` of the way from one colour to another, each {red, green, blue}.
std::string mixed(const int (&from)[3], const int (&to)[3], double share) {
  const auto part = [&](int i) {
    return static_cast<int>(std::lround(from[i] + share * (to[i] - from[i])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

}  // namespace

std::string shade(double share) {
  return mixed({0xe8, 0xf1, 0xfa}, {0x0b, 0x4a, 0x8f}, std::clamp(share, 0.0, 1.0));
}

const char* ink_on(double share) {
  return share > 0.55 ? "#ffffff" : SvgPicture::kInk;
}

std::string blue_to_red(double value) {
  static constexpr int kWhite[] = {255, 255, 255}, kBlue[] = {33, 102, 172}, kRed[] = {178, 24, 43};
  return mixed(kWhite, value < 0 ? kBlue : kRed, std::min(1.0, std::abs(value)));
}

std::string short_figure(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

}  // namespace convkit

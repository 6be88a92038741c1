// SPDX-License-Identifier: MIT
#include "cli/svg_text.h"

#include <fmt/format.h>

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

SvgPicture::SvgPicture(double width, double height)
    : body_(
          fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
                      "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"sans-serif\">\n"
                      "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n",
                      width, height)) {}

void SvgPicture::text(double x, double y, const std::string& text, double size, Anchor anchor,
                      const char* fill, bool bold) {
  static constexpr const char* kAnchors[] = {"start", "middle", "end"};
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\" fill=\"{}\"{}>{}"
      "</text>\n",
      x, y, size, kAnchors[static_cast<int>(anchor)], fill, bold ? " font-weight=\"bold\"" : "",
      escaped(text));
}

void SvgPicture::box(double x, double y, double width, double height, const std::string& fill,
                     const char* stroke) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "stroke=\"{}\"/>\n",
      x, y, width, height, fill, stroke);
}

std::string SvgPicture::finish() const {
  return body_ + "</svg>\n";
}

std::string shade(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  const auto mix = [&](int pale, int dark) {
    return static_cast<int>(std::lround(pale + s * (dark - pale)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xe8, 0x0b), mix(0xf1, 0x4a), mix(0xfa, 0x8f));
}

const char* ink_on(double share) {
  return share > 0.55 ? "#ffffff" : SvgPicture::kInk;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Pictures of figures, written as SVG by hand: a few shapes and texts.
#pragma once

#include <string>

namespace convkit {

class SvgPicture {
 public:
  SvgPicture(double width, double height);

  enum class Anchor { start, middle, end };
  void text(double x, double y, const std::string& text, double size = 13,
            Anchor anchor = Anchor::start, const char* fill = kInk, bool bold = false);
  void box(double x, double y, double width, double height, const std::string& fill,
           const char* stroke = "none");
  std::string finish() const;

  static constexpr const char* kInk = "#1f2933";
  static constexpr const char* kSoft = "#616e7c";

 private:
  std::string body_;
};

// From pale to dark blue, for 0 to 1.
std::string shade(double share);
// What can be read on it.
const char* ink_on(double share);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Pictures of figures as SVG: a few shapes and texts.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace convkit {

class SvgPicture {
 public:
  // On white, in pixels. `name` is what a viewer calls the picture; nothing of it is drawn.
  SvgPicture(double width, double height, const std::string& name = "");

  enum class Anchor { start, middle, end };
  void text(double x, double y, const std::string& text, double size = 13,
            Anchor anchor = Anchor::start, const char* fill = kInk, bool bold = false);
  // Read from bottom to top, centred at (x, y).
  void vertical_text(double x, double y, const std::string& text, double size = 13);
  void box(double x, double y, double width, double height, const std::string& fill,
           const char* stroke = "none");
  void line(const std::vector<std::pair<double, double>>& points, const char* stroke,
            double width = 1);
  void dot(double x, double y, double radius, const char* fill);
  std::string finish() const;

  static constexpr const char* kInk = "#1f2933";
  static constexpr const char* kSoft = "#616e7c";
  static constexpr const char* kGrid = "#d0d7de";

 private:
  std::string body_;
};

// From pale to dark blue, for 0 to 1.
std::string shade(double share);
// The colour of text on it.
const char* ink_on(double share);
// Blue below 0, white at 0, red above, for -1 to 1.
std::string blue_to_red(double value);
// A value with three digits, or whole from 100.
std::string short_figure(double value);

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "catch.h"
#include "drawing/charts.h"
#include "drawing/svg.h"

using namespace convkit;

namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("every shape is one element, and text is escaped") {
  SvgPicture svg(100, 50, "a < b");
  svg.text(1, 2, "x & \"y\"", 12, SvgPicture::Anchor::end, SvgPicture::kSoft, true);
  svg.vertical_text(1, 2, "up");
  svg.box(1, 2, 3, 4, "#000000");
  svg.line({{0, 0}, {1.25, 2}}, "#111111", 2);
  svg.dot(5, 6, 2.5, "#222222");
  CHECK(svg.finish() ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\" "
        "viewBox=\"0 0 100 50\" font-family=\"sans-serif\">\n"
        "<title>a &lt; b</title>\n"
        "<rect width=\"100\" height=\"50\" fill=\"#ffffff\"/>\n"
        "<text x=\"1.0\" y=\"2.0\" font-size=\"12\" text-anchor=\"end\" fill=\"#616e7c\" "
        "font-weight=\"bold\">x &amp; &quot;y&quot;</text>\n"
        "<text transform=\"translate(1.0 2.0) rotate(-90)\" font-size=\"13\" "
        "text-anchor=\"middle\" fill=\"#1f2933\">up</text>\n"
        "<rect x=\"1.0\" y=\"2.0\" width=\"3.0\" height=\"4.0\" fill=\"#000000\" "
        "stroke=\"none\"/>\n"
        "<polyline points=\"0.0,0.0 1.2,2.0\" fill=\"none\" stroke=\"#111111\" "
        "stroke-width=\"2\"/>\n"
        "<circle cx=\"5.0\" cy=\"6.0\" r=\"2.5\" fill=\"#222222\"/>\n"
        "</svg>\n");
}

TEST_CASE("colours go from one end of their scale to the other, and no further") {
  CHECK((shade(0) == "#e8f1fa" && shade(1) == "#0b4a8f" && shade(2) == shade(1)));
  CHECK(std::string(ink_on(1)) != ink_on(0));
  CHECK(blue_to_red(0) == "#ffffff");
  CHECK((blue_to_red(-1) == "#2166ac" && blue_to_red(1) == "#b2182b"));
  CHECK(blue_to_red(3) == blue_to_red(1));
}

TEST_CASE("figures have three digits, or are whole") {
  CHECK(short_figure(1.23456) == "1.23");
  CHECK(short_figure(99.95) == "100");
  CHECK(short_figure(12345.6) == "12346");
}

TEST_CASE("bars are as long as their values, and a missing one is a dash") {
  BarChart chart{"title", "subtitle", {"one", "two", "three"}, {{"unit", {10.0, 5.0, {}}}}};
  const std::string svg = draw(chart);
  CHECK(count(svg, "<rect") == 1 + 2);  // the ground, and the bars that are there
  CHECK((count(svg, ">10<") == 1 && count(svg, ">5<") == 1 && count(svg, ">-<") == 1));
  const auto width = [&](size_t bar) {
    size_t at = 0;
    for (size_t i = 0; i <= bar + 1; ++i) at = svg.find("<rect", at) + 1;
    return std::stod(svg.substr(svg.find("width=\"", at) + 7));
  };
  CHECK(width(0) == Approx(2 * width(1)).epsilon(0.01));
}

TEST_CASE("each panel of grouped bars has its own scale") {
  GroupedBars chart{"t", "s", {"row"}, {"a", "b"}, {{"ms", {{1.0, 2.0}}}, {"KiB", {{1000.0, {}}}}}};
  const std::string svg = draw(chart);
  CHECK(count(svg, "<rect") == 1 + 2 + 3);  // the ground, the legend, the bars
  CHECK((count(svg, ">1000<") == 1 && count(svg, ">-<") == 1));
  CHECK(count(svg, "width=\"240.0\"") == 2);  // the longest bar of each panel
}

TEST_CASE("the best cell of a heat map is framed") {
  HeatMap map{"t", "s", "x", "y", {"1", "2"}, {"3"}, {{7.0, 9.0}}, true, "GFLOP/s"};
  CHECK(count(draw(map), "#d9480f") == 1);
  const auto best_is = [&](const char* figure) {
    const std::string svg = draw(map);
    return svg.find(std::string("font-weight=\"bold\">") + figure, svg.find("#d9480f")) !=
           std::string::npos;
  };
  CHECK(best_is("9"));
  map.more_is_better = false;
  CHECK(best_is("7"));
}

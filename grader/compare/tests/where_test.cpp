// SPDX-License-Identifier: MIT
#include "compare/patterns.h"

#include <algorithm>
#include <string>

#include "catch.h"
#include "scene.h"

using namespace convkit;

namespace {

// The sentence about an output [2][4][6][8] that is wrong where `where` says so.
template <class Where>
Pattern pattern(Where where, std::vector<int64_t> dims = {2, 4, 6, 8}) {
  Scene scene(std::move(dims));
  scene.spoil(where);
  const Evidence evidence = scene.evidence();
  return where_wrong(Field(evidence)).value_or(Pattern{});
}

template <class Where>
std::string place(Where where, std::vector<int64_t> dims = {2, 4, 6, 8}) {
  return pattern(where, std::move(dims)).sentence;
}

std::string place_in(const Scene& scene) {
  const Evidence evidence = scene.evidence();
  return where_wrong(Field(evidence)).value_or(Pattern{}).sentence;
}

using I = int64_t;

}  // namespace

TEST_CASE("wrong images are named") {
  CHECK(place([](I n, I, I, I) { return n == 0; }) == "All differences are in image 0.");
  CHECK(place([](I n, I, I, I) { return n == 2 || n == 4; }, {6, 2, 3, 3}) ==
        "All differences are in images 2 and 4.");
  CHECK(place([](I n, I, I, I) { return n >= 2; }, {6, 2, 3, 3}) ==
        "All differences are in images 2 to 5.");
  CHECK(place([](I n, I, I, I) { return n != 3; }, {6, 2, 3, 3}) == "Only image 3 is right.");
}

TEST_CASE("an output of which only image 0 is right is a known mistake") {
  const Pattern found = pattern([](I n, I, I, I) { return n > 0; }, {3, 2, 3, 3});
  CHECK(found.sentence == "Only image 0 is right.");
  CHECK(found.id == "only_first_image");
  CHECK(pattern([](I n, I, I, I) { return n == 1; }).id == "only_first_image");
  CHECK(pattern([](I n, I, I, I) { return n == 1; }, {3, 2, 3, 3}).id.empty());
}

TEST_CASE("wrong channels are named") {
  CHECK(place([](I, I c, I, I) { return c == 2; }) == "All differences are in channel 2.");
  CHECK(place([](I, I c, I, I) { return c == 1 || c == 3; }) ==
        "All differences are in channels 1 and 3.");
  CHECK(place([](I, I c, I, I) { return c > 0; }) == "Only channel 0 is right.");
}

TEST_CASE("rows and columns at the end or the start are named") {
  CHECK(place([](I, I, I h, I) { return h == 5; }) ==
        "All differences are in the last output row.");
  CHECK(place([](I, I, I h, I) { return h >= 4; }) ==
        "All differences are in the last 2 output rows.");
  CHECK(place([](I, I, I, I w) { return w == 7; }) ==
        "All differences are in the last output column.");
  CHECK(place([](I, I, I h, I) { return h == 0; }) ==
        "All differences are in the first output row.");
  CHECK(place([](I, I, I, I w) { return w < 3; }) ==
        "All differences are in the first 3 output columns.");
  CHECK(place([](I, I, I h, I w) { return h == 5 || w == 7; }) ==
        "All differences are in the last output row and the last output column.");
  CHECK(place([](I, I, I h, I) { return h == 0 || h == 5; }) ==
        "All differences are in the first and the last output row.");
}

TEST_CASE("a border is told from the inside") {
  const auto on_border = [](I h, I w, I width) {
    return h < width || w < width || h >= 6 - width || w >= 8 - width;
  };
  CHECK(place([&](I, I, I h, I w) { return on_border(h, w, 1); }) ==
        "All differences are in the outermost rows and columns.");
  CHECK(place([&](I, I, I h, I w) { return on_border(h, w, 2); }) ==
        "All differences are in a border of width 2.");
  CHECK(place([&](I, I, I h, I w) { return !on_border(h, w, 1); }) ==
        "The outermost rows and columns are right; all differences are inside.");
  CHECK(place([&](I, I, I h, I w) { return !on_border(h, w, 2); }) ==
        "A border of width 2 is right; all differences are inside.");
}

TEST_CASE("a tail that starts inside a row is named") {
  Scene scene({2, 4, 6, 8});
  for (size_t i = 300; i < 384; ++i) scene.got[i] += 1;
  const Evidence evidence = scene.evidence();
  CHECK(where_wrong(Field(evidence))->sentence ==
        "They are the last 84 outputs, from y[1,2,1,4] on.");
}

TEST_CASE("columns left out by a step are named") {
  Scene scene({2, 4, 6, 8});
  for (size_t i = 0; i < scene.got.size(); ++i) {
    if (i % 2 == 1) scene.unwrite(i);
  }
  const Evidence evidence = scene.evidence();
  CHECK(where_wrong(Field(evidence))->sentence == "Only every second output column is right.");
  // Only where it strides, too, the stride may be the reason.
  const auto says_stride = [&](double stride) {
    Evidence strided = evidence;
    strided.params["stride_w"] = stride;
    return where_wrong(Field(strided))->hint.find("stride") != std::string::npos;
  };
  CHECK(says_stride(2));
  CHECK(!says_stride(1));
}

TEST_CASE("a rectangle is named when it is a small part of the image") {
  CHECK(place([](I, I, I h, I w) { return h >= 1 && h <= 2 && w >= 3 && w <= 5 && (h + w) % 2; }) ==
        "All differences lie in output rows 1 to 2, columns 3 to 5.");
  CHECK(place([](I, I, I h, I w) { return (5 * h + 3 * w) % 7 == 0; }).empty());
}

TEST_CASE("the place names what is there: NaN, unwritten or wrong elements") {
  Scene scene({1, 1, 6, 8});
  for (size_t i = 40; i < 48; ++i) scene.set_bits(i, 0x7fc00000);
  CHECK(place_in(scene) == "All NaN are in the last output row.");
  for (size_t i = 40; i < 48; ++i) scene.unwrite(i);
  CHECK(place_in(scene) == "All unwritten elements are in the last output row.");
  scene.got[40] = 9;
  CHECK(place_in(scene) == "All wrong elements are in the last output row.");
}

TEST_CASE("an output that is wrong everywhere, or in one element, has no place") {
  CHECK(place([](I, I, I, I) { return true; }).empty());
  CHECK(place([](I n, I c, I h, I w) { return n + c + h + w == 0; }).empty());
}

TEST_CASE("a hint at the padding is given only where there is some") {
  Scene scene({1, 2, 8, 8});
  scene.spoil([](int64_t, int64_t, int64_t h, int64_t w) { return h == 0 || w == 0; });
  const auto hint = [&] {
    const Evidence evidence = scene.evidence();
    return where_wrong(Field(evidence)).value_or(Pattern{}).hint;
  };
  CHECK(hint().empty());
  scene.params = {{"pad_h", 1}, {"pad_w", 0}};
  CHECK(hint().starts_with("Only there does the window reach into the padding"));
  scene.params.clear();
  scene.op = "conv2d_same_forward";
  CHECK(!hint().empty());
}

TEST_CASE("two wrong elements in the last of two rows do not make a mistake with a name") {
  Scene scene({2, 3, 1, 1});
  scene.spoil([](int64_t n, int64_t c, int64_t, int64_t) { return n == 1 && c > 0; });
  const Evidence evidence = scene.evidence();
  CHECK(where_wrong(Field(evidence)).value_or(Pattern{}).id.empty());
}

TEST_CASE("wrong outputs whose windows reach beyond an edge are told from others") {
  // Of 6 rows and 8 columns of x, with padding on all sides, as many outputs.
  const auto hint = [](auto where) {
    Scene scene({2, 3, 6, 8});
    scene.op = "conv2d_forward";
    scene.params = {{"h", 6}, {"w", 8}, {"kh", 5}, {"kw", 3}, {"pad_h", 2}, {"pad_w", 1}};
    scene.spoil(where);
    const Evidence evidence = scene.evidence();
    return beyond_edges(Field(evidence));
  };
  const auto begins = [](const std::string& edge) {
    return "Only windows that reach beyond " + edge + " edge of x, into the padding, are wrong";
  };
  CHECK(hint([](I, I, I, I w) { return w == 0; }).starts_with(begins("the left")));
  CHECK(hint([](I, I, I h, I) { return h > 3; }).starts_with(begins("the lower")));
  CHECK(hint([](I, I, I h, I w) {
          return h < 2 || w == 0;
        }).starts_with(begins("the upper or the left")));
  CHECK(hint([](I, I, I h, I) {
          return h < 2 || h > 3;
        }).starts_with(begins("the upper or the lower")));
  // In the first image the upper edge is right.
  CHECK(hint([](I n, I, I h, I) {
          return h > 3 || (n > 0 && h < 2);
        }).find("at the upper edge those of the first image are right: is memory used again") !=
        std::string::npos);
  CHECK(hint([](I, I, I h, I) { return h > 2; }).empty());
  CHECK(hint([](I n, I c, I h, I w) { return n + c + h + w == 0; }).empty());  // too few
}

TEST_CASE("nothing written where a sum has no terms is told so") {
  Scene scene({3, 2, 2, 2});
  for (size_t i = 0; i < scene.got.size(); ++i) scene.unwrite(i);
  scene.params = {{"n", 0}};
  CHECK(place_in(scene).empty());
  std::fill(scene.reference.begin(), scene.reference.end(), 0);
  CHECK(place_in(scene) == "Here n is 0: a sum without terms is 0, and that is to be stored.");
  scene.params = {{"n", 2}};
  CHECK(place_in(scene).empty());
}

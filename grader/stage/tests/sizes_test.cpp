// SPDX-License-Identifier: MIT
// The words for the sizes of a case.
#include "stage/sizes.h"

#include "catch.h"

using namespace convkit;

namespace {

Params sizes(std::initializer_list<std::pair<const char*, double>> values) {
  Params params;
  for (const auto& [name, value] : values) params[name] = {value, true};
  return params;
}

}  // namespace

TEST_CASE("A convolution is told by its sizes, without what is as it is mostly", "[sizes]") {
  Params params = sizes({{"n", 1},
                         {"c", 3},
                         {"h", 8},
                         {"w", 9},
                         {"m", 4},
                         {"kh", 3},
                         {"kw", 5},
                         {"stride_h", 1},
                         {"stride_w", 1},
                         {"pad_h", 0},
                         {"pad_w", 0},
                         {"dilation_h", 1},
                         {"dilation_w", 1},
                         {"groups", 1}});
  CHECK(size_words(params) == "n 1, c 3, h 8, w 9, m 4, kernel 3 x 5");
  params["stride_h"].value = params["stride_w"].value = 2;
  params["pad_w"].value = 1;
  params["groups"].value = 3;
  CHECK(size_words(params) ==
        "n 1, c 3, h 8, w 9, m 4, kernel 3 x 5, stride 2, padding 0 x 1, groups 3");
}

TEST_CASE("Parameters of other operations keep their names and their order", "[sizes]") {
  Params params = sizes({{"size", 17}, {"count_padding", 0}});
  CHECK(size_words(params) == "size 17");
  params["slope"] = {0.01, false};
  params["beta"] = {0, false};  // not a flag: a product with 0 is a case of its own
  CHECK(size_words(params) == "beta 0, size 17, slope 0.01");
  CHECK(size_words({}) == "");
}

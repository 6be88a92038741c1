// SPDX-License-Identifier: MIT
#include "convkit/shape_check.h"

#include "catch.h"

namespace convkit {
namespace {

constexpr int kMax = 2147483647;

TEST_CASE("sound shapes pass") {
  CHECK(check_shape(Conv2dShape{}) == "");
  CHECK(check_shape(Conv2dShape{.n = 16,
                                .c = 64,
                                .h = 56,
                                .w = 56,
                                .m = 64,
                                .kh = 3,
                                .kw = 3,
                                .pad_h = 1,
                                .pad_w = 1,
                                .groups = 32}) == "");
  // The kernel just fits: 5 = 2 (3 - 1) + 1.
  const Conv2dShape tight{
      .h = 3, .w = 5, .kh = 3, .kw = 3, .pad_h = 1, .dilation_h = 2, .dilation_w = 2};
  CHECK(check_shape(tight) == "");
  CHECK(tight.oh() == 1);
  CHECK(tight.ow() == 1);
  // A kernel larger than the input, in its padding.
  CHECK(check_shape(Conv2dShape{.h = 1, .w = 1, .kh = 3, .kw = 3, .pad_h = 1, .pad_w = 1}) == "");
  CHECK(check_shape(Pool2dShape{.h = 28, .w = 28}) == "");
  CHECK(check_shape(Pool2dShape{.h = 1, .w = 1, .pad_h = 1, .pad_w = 1}) == "");
}

TEST_CASE("every field of a convolution that is too small is named") {
  const struct {
    int Conv2dShape::*field;
    const char* name;
    int least;
  } fields[] = {{&Conv2dShape::n, "n", 1},
                {&Conv2dShape::c, "c", 1},
                {&Conv2dShape::h, "h", 1},
                {&Conv2dShape::w, "w", 1},
                {&Conv2dShape::m, "m", 1},
                {&Conv2dShape::kh, "kh", 1},
                {&Conv2dShape::kw, "kw", 1},
                {&Conv2dShape::pad_h, "pad_h", 0},
                {&Conv2dShape::pad_w, "pad_w", 0},
                {&Conv2dShape::stride_h, "stride_h", 1},
                {&Conv2dShape::stride_w, "stride_w", 1},
                {&Conv2dShape::dilation_h, "dilation_h", 1},
                {&Conv2dShape::dilation_w, "dilation_w", 1},
                {&Conv2dShape::groups, "groups", 1}};
  for (const auto& field : fields) {
    for (const int value : {field.least - 1, -kMax - 1}) {
      Conv2dShape shape;
      shape.*field.field = value;
      CHECK(check_shape(shape) == std::string(field.name) + " is " + std::to_string(value) +
                                      "; it must be at least " + std::to_string(field.least) + ".");
    }
  }
}

TEST_CASE("groups must divide the channels and the filters") {
  CHECK(check_shape(Conv2dShape{.c = 6, .m = 4, .groups = 4}) ==
        "groups is 4; it must divide c, which is 6.");
  CHECK(check_shape(Conv2dShape{.c = 8, .m = 6, .groups = 4}) ==
        "groups is 4; it must divide m, which is 6.");
}

TEST_CASE("a kernel larger than the padded input is named with its span") {
  CHECK(check_shape(Conv2dShape{.h = 4, .w = 9, .kh = 3, .kw = 3, .dilation_h = 2}) ==
        "kh is 3; with its dilation the kernel spans 5, more than the padded input's 4.");
  CHECK(check_shape(Conv2dShape{.w = 2, .kw = 5, .pad_w = 1}) ==
        "kw is 5; with its dilation the kernel spans 5, more than the padded input's 4.");
  CHECK(check_shape(Conv2dShape{.h = kMax, .kh = kMax, .dilation_h = kMax}) ==
        "kh is 2147483647; with its dilation the kernel spans 4611686011984936963, more than the "
        "padded input's 2147483647.");
  CHECK(check_shape(Pool2dShape{.h = 1, .w = 4}) ==
        "kh is 2; with its dilation the kernel spans 2, more than the padded input's 1.");
}

TEST_CASE("shapes that overflow are refused and no arithmetic on them is undefined") {
  CHECK(check_shape(Conv2dShape{.h = kMax, .pad_h = 1}) ==
        "pad_h is 1; the padded input would be too large for an int.");
  CHECK(check_shape(Conv2dShape{.pad_w = kMax}) ==
        "pad_w is 2147483647; the padded input would be too large for an int.");
  CHECK(check_shape(Conv2dShape{.n = kMax, .c = kMax, .h = kMax, .w = kMax}) ==
        "The size of x in bytes overflows 64 bits.");
  CHECK(
      check_shape(Conv2dShape{
          .c = 1 << 20, .h = 1 << 12, .w = 1 << 12, .m = 1 << 20, .kh = 1 << 11, .kw = 1 << 12}) ==
      "The size of w in bytes overflows 64 bits.");
  CHECK(check_shape(Conv2dShape{.n = 1 << 20, .h = 1 << 10, .w = 1 << 10, .m = 1 << 21}) ==
        "The size of y in bytes overflows 64 bits.");
  // 2^60 elements: they can be counted, but as float64 they are 2^63 bytes.
  CHECK(check_shape(Pool2dShape{.n = 1 << 30, .c = 1 << 28, .h = 2, .w = 2}) ==
        "The size of x in bytes overflows 64 bits.");
}

TEST_CASE("a pooling pad that gives windows without input is refused") {
  CHECK(check_shape(Pool2dShape{.h = 8, .w = 8, .pad_w = 2}) ==
        "pad_w is 2 and kw is 2; a pad this large gives windows that hold no input.");
  CHECK(check_shape(Pool2dShape{.stride_h = 0}) == "stride_h is 0; it must be at least 1.");
}

}  // namespace
}  // namespace convkit

// SPDX-License-Identifier: MIT
// Wrong code that looks like another mistake on some shapes: there nothing may be named, or the
// right one.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "cases.h"
#include "catch.h"

using namespace convkit;

namespace {

// n, c, h, w, m, kh, kw, pad, stride, dilation: of visible cases on which names went wrong.
const Conv2dShape kSingleRow{2, 2, 1, 17, 2, 1, 4, 0, 2, 1, 2, 1, 1, 1};
const Conv2dShape kSingleColumn{2, 2, 13, 1, 2, 3, 3, 0, 1, 1, 1, 1, 1, 1};
const Conv2dShape kRowInPadding{1, 2, 1, 12, 4, 1, 2, 1, 3, 1, 2, 3, 2, 1};
const Conv2dShape kOneOutput{2, 2, 6, 5, 3, 6, 5, 0, 0, 1, 1, 1, 1, 1};
const Conv2dShape kPlain{2, 3, 8, 9, 4, 3, 2, 0, 0, 1, 1, 1, 1, 1};
const Conv2dShape kPadded{2, 3, 7, 6, 4, 3, 2, 1, 1, 2, 1, 1, 1, 1};

// What differs from a correct convolution.
struct Variant {
  std::function<bool(int, int, const Conv2dShape&)> outside = [](int row, int column,
                                                                 const Conv2dShape& s) {
    return row < 0 || row >= s.h || column < 0 || column >= s.w;
  };
  bool stops = false;   // break, not continue, at the first position outside
  int gap = 0;          // added to the dilation
  bool clamps = false;  // the padding repeats the edge
  int pitch = 0;        // elements from row to row of x; 0: w
  bool keeps_sum = false, same_filter = false, same_map = false, first_bias = false;
};

std::vector<float> output_of(const Variant& v, const MadeCase& on, const Conv2dShape& s) {
  const auto &x = on.inputs.at("x"), &w = on.inputs.at("w"), &b = on.inputs.at("b");
  std::vector<float> y(on.reference.size());
  fill_sentinel(y.data(), y.size() * sizeof(float));
  const int pitch = v.pitch == 0 ? s.w : v.pitch;
  for (int n = 0; n < s.n; ++n) {
    for (int m = 0; m < s.m; ++m) {
      float sum = 0;
      for (int at = 0; at < s.oh() * s.ow(); ++at) {
        if (at == 0 || !v.keeps_sum) sum = b[v.first_bias ? 0 : size_t(m)];
        for (int c = 0; c < s.c; ++c) {
          for (int i = 0; i < s.kh; ++i) {
            for (int j = 0; j < s.kw; ++j) {
              int row = at / s.ow() * s.stride_h - s.pad_h + i * (s.dilation_h + v.gap);
              int column = at % s.ow() * s.stride_w - s.pad_w + j * (s.dilation_w + v.gap);
              if (v.clamps) {
                row = std::clamp(row, 0, s.h - 1);
                column = std::clamp(column, 0, s.w - 1);
              }
              if (v.outside(row, column, s)) {
                if (v.stops) break;
                continue;
              }
              const int filter = v.same_filter ? 0 : m;
              const size_t x_at = size_t(((n * s.c + c) * s.h + row) * pitch + column);
              if (v.pitch == 0) {
                sum += x[x_at] * w[size_t(((filter * s.c + c) * s.kh + i) * s.kw + j)];
              } else {
                const size_t plane = size_t((n * s.c + c) * s.h * s.w);
                sum += x[plane + size_t(row * pitch + column)] *
                       w[size_t(((filter * s.c + c) * s.kh + i) * s.kw + j)];
              }
            }
          }
        }
        const int plane = v.same_map ? n : n * s.m + m;
        y[size_t(plane * s.oh() * s.ow() + at)] = sum;
      }
    }
  }
  return y;
}

Diagnosis diagnosis_of(const Variant& variant, const Conv2dShape& shape) {
  std::mt19937 random(5);
  const MadeCase on = conv_case("conv2d_forward", shape, random);
  const std::vector<float> y = output_of(variant, on, shape);
  return diagnose(on.evidence(y));
}

Variant row_zero_is_outside() {
  Variant v;
  v.outside = [](int row, int column, const Conv2dShape& s) {
    return row <= 0 || row >= s.h || column <= 0 || column >= s.w;
  };
  return v;
}

}  // namespace

TEST_CASE("nothing written and zeros everywhere are not taken for a border left out") {
  std::mt19937 random(5);
  for (const Conv2dShape& shape : {kOneOutput, kSingleRow, kSingleColumn, kPlain}) {
    const MadeCase on = conv_case("conv2d_forward", shape, random);
    std::vector<float> y(on.reference.size());
    CHECK(diagnose(on.evidence(y)).id == "all_zero");
    fill_sentinel(y.data(), y.size() * sizeof(float));
    CHECK(diagnose(on.evidence(y)).id == "nothing_written");
  }
}

TEST_CASE("outputs that hold the bias alone name no mistake") {
  for (const Conv2dShape& shape : {kSingleRow, kRowInPadding}) {
    CHECK(diagnosis_of(row_zero_is_outside(), shape).id.empty());
  }
  Variant stops;
  stops.stops = true;
  CHECK(diagnosis_of(stops, kSingleColumn).id.empty());
}

TEST_CASE("a dilation that is one too large is named, or nothing where others come to the same") {
  Variant gap;
  gap.gap = 1;
  for (const Conv2dShape& shape : {kPlain, kPadded}) {
    CHECK(diagnosis_of(gap, shape).id == "dilation_as_gap");
  }
  CHECK(diagnosis_of(gap, kSingleColumn).id.empty());
  CHECK(diagnosis_of(gap, kRowInPadding).id.empty());  // dilation_w + 1 is dilation_h
}

TEST_CASE("a first row that counts as padding is named where the shape shows it") {
  CHECK(diagnosis_of(row_zero_is_outside(), kPlain).id == "off_by_one_edge");
}

TEST_CASE("a bias that is always b[0] is named") {
  Variant first;
  first.first_bias = true;
  for (const Conv2dShape& shape : {kPlain, Conv2dShape{2, 1, 8, 9, 4, 3, 2, 0, 0, 1, 1, 1, 1, 1}}) {
    const Diagnosis diagnosis = diagnosis_of(first, shape);
    CHECK(diagnosis.id == "wrong_bias_index");
    CHECK(says(diagnosis, "Every feature map uses b[0] instead of its own bias b[m]."));
  }
}

TEST_CASE("rows of x that are taken to be h elements long are named") {
  Variant pitch;
  pitch.pitch = kPlain.h;
  CHECK(diagnosis_of(pitch, kPlain).id == "swapped_hw");
  CHECK(says(diagnosis_of(pitch, kPlain), "h elements long"));
}

TEST_CASE("a sum that is not reset is named") {
  Variant keeps;
  keeps.keeps_sum = true;
  CHECK(diagnosis_of(keeps, kPlain).id == "sum_not_reset");
  CHECK(diagnosis_of(keeps, kPadded).id == "sum_not_reset");
}

TEST_CASE("a filter index without the map is named") {
  Variant same;
  same.same_filter = true;
  CHECK(diagnosis_of(same, kPadded).id == "same_filter");
}

TEST_CASE("padding that repeats the edge is named") {
  Variant clamps;
  clamps.clamps = true;
  CHECK(diagnosis_of(clamps, kPadded).id == "padding_repeats_edge");
}

TEST_CASE("maps that overwrite one another are named") {
  Variant same;
  same.same_map = true;
  CHECK(diagnosis_of(same, kPlain).id == "maps_overwrite");
}

TEST_CASE("a softmax whose outputs are all 0 is not said to be divided by nothing") {
  std::mt19937 random(6);
  MadeCase on = softmax_case(3, 8, 1, random);
  for (float& value : on.inputs.at("x")) value -= 1000;  // the result stays the same
  const std::vector<float> y(on.reference.size());
  CHECK(diagnose(on.evidence(y)).id == "all_zero");
}

TEST_CASE("a softmax of zeros and ones is not explained") {
  std::mt19937 random(6);
  const MadeCase on = softmax_case(4, 9, 1e4f, random);
  const auto& x = on.inputs.at("x");
  const auto largest = std::max_element(x.begin(), x.end()) - x.begin();
  // As from a maximum over all rows, with a small number added to each row's sum.
  std::vector<float> y(x.size());
  y[size_t(largest)] = 1;
  CHECK(diagnose(on.evidence(y)).id.empty());
}

TEST_CASE("same padding with the quotient rounded down is named") {
  const auto named = [](int size, int kernel, int stride, int dilation) {
    const int total =
        std::max(0, (size / stride - 1) * stride + dilation * (kernel - 1) + 1 - size);
    const std::vector<int32_t> p{total / 2, total - total / 2};
    return diagnose(same_padding_case(size, kernel, stride, dilation).evidence(p)).id;
  };
  CHECK(named(11, 6, 3, 2) == "same_padding_floor");
  CHECK(named(11, 5, 3, 2).empty());  // the dilation added once gives the same
  CHECK(named(11, 4, 3, 2).empty());  // the dilation ignored does
}

TEST_CASE("a composed network is not explained by its outputs") {
  MadeCase on;
  on.op = "lenet_forward";
  on.dims = {10, 10};
  on.terms = 1;
  on.reference.assign(100, 1e-6);
  on.magnitude.assign(100, 1);
  std::vector<float> y(100, 1e-6f);
  for (size_t row = 0; row < 10; ++row) {
    on.reference[row * 10 + row] = 0.99999;
    y[row * 10 + (row + 3) % 10] = 0.99999f;
  }
  const Diagnosis diagnosis = diagnose(on.evidence(y));
  CHECK(diagnosis.id.empty());
  CHECK(!says(diagnosis, "different order"));
  CHECK(diagnosis.hint.find("the cases of each layer say more") != std::string::npos);
}

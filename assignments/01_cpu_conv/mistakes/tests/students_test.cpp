// SPDX-License-Identifier: MIT
// Code as students write it, in float and with its mistake in place: each must be named.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <functional>
#include <string_view>

#include "cases.h"
#include "catch.h"

using namespace convkit;

namespace {

// A mini-batch with bias, pad, stride and dilation that differ between the axes.
const Conv2dShape kShape{2, 3, 11, 13, 4, 3, 2, 1, 1, 2, 1, 1, 2, 1};
const Conv2dShape kSquare{2, 3, 9, 9, 4, 3, 3, 1, 1, 2, 2, 1, 1, 1};

struct Student {
  const Conv2dShape& s;
  std::vector<float> x, w, b;
  std::vector<float> y;

  explicit Student(const MadeCase& on, const Conv2dShape& shape)
      : s(shape),
        x(on.inputs.at("x")),
        w(on.inputs.at("w")),
        b(on.inputs.at("b")),
        y(on.reference.size()) {
    fill_sentinel(y.data(), y.size() * sizeof(float));
  }

  float at(int n, int c, int h, int v) const {
    if (h < 0 || h >= s.h || v < 0 || v >= s.w) return 0;
    return x[size_t(((n * s.c + c) * s.h + h) * s.w + v)];
  }
  float weight(int m, int c, int i, int j) const {
    return w[size_t(((m * s.c + c) * s.kh + i) * s.kw + j)];
  }
  int row(int oh, int i) const { return oh * s.stride_h - s.pad_h + i * s.dilation_h; }
  int column(int ow, int j) const { return ow * s.stride_w - s.pad_w + j * s.dilation_w; }

  // Calls body(n, m, oh, ow, y) for every output and product(c, i, j) from there.
  void for_outputs(const std::function<void(int, int, int, int, float&)>& body) {
    size_t index = 0;
    for (int n = 0; n < s.n; ++n) {
      for (int m = 0; m < s.m; ++m) {
        for (int oh = 0; oh < s.oh(); ++oh) {
          for (int ow = 0; ow < s.ow(); ++ow) body(n, m, oh, ow, y[index++]);
        }
      }
    }
  }
  float sum(const std::function<float(int, int, int)>& product) const {
    float total = 0;
    for (int c = 0; c < s.c; ++c) {
      for (int i = 0; i < s.kh; ++i) {
        for (int j = 0; j < s.kw; ++j) total += product(c, i, j);
      }
    }
    return total;
  }
  float correct(int n, int m, int oh, int ow) const {
    return b[size_t(m)] + sum([&](int c, int i, int j) {
             return at(n, c, row(oh, i), column(ow, j)) * weight(m, c, i, j);
           });
  }
};

using Mistake = std::function<void(Student&)>;

Diagnosis diagnosis_of(const Mistake& mistake, const Conv2dShape& shape = kShape) {
  std::mt19937 random(5);
  const MadeCase on = conv_case("conv2d_forward", shape, random);
  Student student(on, shape);
  mistake(student);
  return diagnose(on.evidence(student.y));
}

}  // namespace

TEST_CASE("a correct submission is reported as correct") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) { y = me.correct(n, m, oh, ow); });
  });
  CHECK(diagnosis.id.empty());
  CHECK(diagnosis.message == "All 624 outputs agree with the reference.");
}

TEST_CASE("a flipped kernel is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      y = me.b[size_t(m)] + me.sum([&](int c, int i, int j) {
        return me.at(n, c, me.row(oh, i), me.column(ow, j)) *
               me.weight(m, c, me.s.kh - 1 - i, me.s.kw - 1 - j);
      });
    });
  });
  CHECK(diagnosis.id == "flipped_kernel");
  CHECK(says(
      diagnosis,
      "The kernel is flipped: w[kh-1-p][kw-1-q] is used where cross-correlation takes w[p][q]."));
}

TEST_CASE("a transposed square kernel is named") {
  const Diagnosis diagnosis = diagnosis_of(
      [](Student& me) {
        me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
          y = me.b[size_t(m)] + me.sum([&](int c, int i, int j) {
            return me.at(n, c, me.row(oh, i), me.column(ow, j)) * me.weight(m, c, j, i);
          });
        });
      },
      kSquare);
  CHECK(diagnosis.id == "swapped_hw");
}

TEST_CASE("padding that is ignored is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      y = me.b[size_t(m)] + me.sum([&](int c, int i, int j) {
        return me.at(n, c, me.row(oh, i) + me.s.pad_h, me.column(ow, j) + me.s.pad_w) *
               me.weight(m, c, i, j);
      });
    });
  });
  CHECK(diagnosis.id == "pad_ignored");
}

TEST_CASE("a stride applied to the input only is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    const int wide_oh = me.s.h + 2 * me.s.pad_h - me.s.dilation_h * (me.s.kh - 1);
    const int wide_ow = me.s.w + 2 * me.s.pad_w - me.s.dilation_w * (me.s.kw - 1);
    for (int n = 0; n < me.s.n; ++n) {
      for (int m = 0; m < me.s.m; ++m) {
        for (int oh = 0; oh < wide_oh; ++oh) {
          for (int ow = 0; ow < wide_ow; ++ow) {
            const size_t index = size_t(((n * me.s.m + m) * wide_oh + oh) * wide_ow + ow);
            if (index < me.y.size()) me.y[index] = me.correct(n, m, oh, ow);
          }
        }
      }
    }
  });
  CHECK(diagnosis.id == "stride_on_input_only");
}

TEST_CASE("a dilation that is ignored is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      y = me.b[size_t(m)] + me.sum([&](int c, int i, int j) {
        return me.at(n, c, oh * me.s.stride_h - me.s.pad_h + i,
                     ow * me.s.stride_w - me.s.pad_w + j) *
               me.weight(m, c, i, j);
      });
    });
  });
  CHECK(diagnosis.id == "dilation_ignored");
}

TEST_CASE("a bias added with every product is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      y = me.sum([&](int c, int i, int j) {
        return me.at(n, c, me.row(oh, i), me.column(ow, j)) * me.weight(m, c, i, j) +
               me.b[size_t(m)];
      });
    });
  });
  CHECK(diagnosis.id == "bias_per_element");
}

TEST_CASE("channels that overwrite one another are named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      for (int c = 0; c < me.s.c; ++c) {
        y = me.b[size_t(m)];
        for (int i = 0; i < me.s.kh; ++i) {
          for (int j = 0; j < me.s.kw; ++j) {
            y += me.at(n, c, me.row(oh, i), me.column(ow, j)) * me.weight(m, c, i, j);
          }
        }
      }
    });
  });
  CHECK(diagnosis.id == "channels_wrong_place");
}

TEST_CASE("an off-by-one at the border is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      if (oh < me.s.oh() - 1 && ow < me.s.ow() - 1) y = me.correct(n, m, oh, ow);
    });
  });
  CHECK(diagnosis.id == "off_by_one_border");
}

TEST_CASE("an output that is added to is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) { y += me.correct(n, m, oh, ow); });
  });
  CHECK(diagnosis.id == "accumulates_into_output");
}

TEST_CASE("x taken for NHWC is named") {
  const Diagnosis diagnosis = diagnosis_of([](Student& me) {
    me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
      y = me.b[size_t(m)] + me.sum([&](int c, int i, int j) {
        const int h = me.row(oh, i), v = me.column(ow, j);
        if (h < 0 || h >= me.s.h || v < 0 || v >= me.s.w) return 0.0f;
        return me.x[size_t(((n * me.s.h + h) * me.s.w + v) * me.s.c + c)] * me.weight(m, c, i, j);
      });
    });
  });
  CHECK(diagnosis.id == "nhwc_as_nchw");
}

TEST_CASE("a mini-batch of which only image 0 is computed is named") {
  for (float rest : {0.0f, 1.0f}) {
    const Diagnosis diagnosis = diagnosis_of([&](Student& me) {
      me.for_outputs([&](int n, int m, int oh, int ow, float& y) {
        if (n == 0)
          y = me.correct(n, m, oh, ow);
        else if (rest == 0)
          y = 0;
      });
    });
    CAPTURE(diagnosis.message);
    CHECK(diagnosis.id == "only_first_image");
  }
}

TEST_CASE("padding that wins a maximum is named") {
  std::mt19937 random(6);
  const Pool2dShape s{1, 2, 6, 6, 2, 2, 1, 1, 2, 2};
  MadeCase on = max_pool_case(s, random);
  std::vector<float> y;
  const auto& x = on.inputs.at("x");
  for (int plane = 0; plane < 2; ++plane) {
    for (int oh = 0; oh < s.oh(); ++oh) {
      for (int ow = 0; ow < s.ow(); ++ow) {
        float best = -FLT_MAX;
        for (int h = oh * 2 - 1; h < oh * 2 + 1; ++h) {
          for (int w = ow * 2 - 1; w < ow * 2 + 1; ++w) {
            const bool inside = h >= 0 && h < 6 && w >= 0 && w < 6;
            best = std::fmax(best, inside ? x[size_t((plane * 6 + h) * 6 + w)] : 0.0f);
          }
        }
        y.push_back(best);
      }
    }
  }
  CHECK(diagnose(on.evidence(y)).id == "pad_value_in_max_pool");
}

TEST_CASE("a maximum of negative numbers in another order is named") {
  std::mt19937 random(6);
  const Pool2dShape s{1, 2, 6, 6, 2, 2, 0, 0, 1, 1};
  const MadeCase on = max_pool_case(s, random);
  const auto& x = on.inputs.at("x");
  const auto named = [&](auto key) {
    std::vector<float> y;
    for (int at = 0; at < 2 * 25; ++at) {
      const int first = at / 25 * 36 + at / 5 % 5 * 6 + at % 5;
      float best = x[size_t(first)];
      for (const int place : {first + 1, first + 6, first + 7}) {
        if (key(x[size_t(place)]) > key(best)) best = x[size_t(place)];
      }
      y.push_back(best);
    }
    return diagnose(on.evidence(y)).id;
  };
  CHECK(named([](float value) { return std::bit_cast<int32_t>(value); }) == "negative_order");
  CHECK(named([](float value) { return std::fabs(value); }) == "negative_order");
  CHECK(named([](float value) { return -value; }) != "negative_order");
}

TEST_CASE("an average over the wrong count is named") {
  std::mt19937 random(6);
  const Pool2dShape s{1, 2, 6, 6, 3, 3, 1, 1, 2, 2};
  for (bool counted : {false, true}) {
    const MadeCase on = avg_pool_case(s, counted, random);
    const MadeCase other = [&] {
      std::mt19937 again(6);
      if (counted) avg_pool_case(s, false, again);
      return avg_pool_case(s, !counted, again);
    }();
    REQUIRE(on.inputs.at("x") == other.inputs.at("x"));
    const std::vector<float> y(other.reference.begin(), other.reference.end());
    CHECK(diagnose(on.evidence(y)).id == "average_wrong_count");
  }
}

TEST_CASE("elements counted along one axis only, and a maximum that starts outside, are named") {
  std::mt19937 random(7);
  const Pool2dShape s{2, 2, 8, 9, 3, 4, 1, 2, 2, 2};
  for (const bool of_rows : {true, false}) {
    const MadeCase on = avg_pool_case(s, false, random);
    std::vector<float> y;
    for (size_t at = 0; at < on.reference.size(); ++at) {
      const int i = int(at) / s.ow() % s.oh(), j = int(at) % s.ow();
      const int top = i * s.stride_h - s.pad_h, left = j * s.stride_w - s.pad_w;
      const int rows = std::min(top + s.kh, s.h) - std::max(top, 0);
      const int columns = std::min(left + s.kw, s.w) - std::max(left, 0);
      const int counted = of_rows ? rows * s.kw : s.kh * columns;
      y.push_back(float(on.reference[at] * rows * columns / counted));
    }
    const Diagnosis told = diagnose(on.evidence(y));
    CHECK(told.id == "average_wrong_count");
    CHECK_THAT(told.message, Catch::Contains(of_rows ? "only the rows" : "only the columns"));
  }
  const MadeCase on = max_pool_case(s, random);
  std::vector<float> y;
  for (size_t at = 0; at < on.reference.size(); ++at) {
    const size_t plane = at / size_t(s.oh() * s.ow()) * size_t(s.h * s.w);
    y.push_back(std::max(float(on.reference[at]), on.inputs.at("x")[plane]));
  }
  CHECK(diagnose(on.evidence(y)).id == "max_starts_at_element_0");
}

TEST_CASE("an average that does not count zeros of the image is named") {
  std::mt19937 random(6);
  const Pool2dShape s{1, 2, 6, 6, 3, 3, 1, 1, 2, 2};
  MadeCase on = avg_pool_case(s, false, random);
  auto& x = on.inputs.at("x");
  for (size_t i = 0; i < x.size(); ++i) {
    if (i < 36 || i % 3 == 0) x[i] = 0;  // the whole first plane, and some of the second
  }
  on.reference.clear(), on.magnitude.clear();
  std::vector<float> y;
  for (int plane = 0; plane < 2; ++plane) {
    for (int oh = 0; oh < s.oh(); ++oh) {
      for (int ow = 0; ow < s.ow(); ++ow) {
        float sum = 0, magnitude = 0;
        int inside = 0, others = 0;
        for (int h = std::max(oh * 2 - 1, 0); h < std::min(oh * 2 + 2, 6); ++h) {
          for (int w = std::max(ow * 2 - 1, 0); w < std::min(ow * 2 + 2, 6); ++w) {
            const float value = x[size_t((plane * 6 + h) * 6 + w)];
            sum += value, magnitude += std::fabs(value), ++inside, others += value != 0;
          }
        }
        on.reference.push_back(double(sum) / inside);
        on.magnitude.push_back(double(magnitude) / inside);
        y.push_back(sum / float(others));
      }
    }
  }
  CHECK(diagnose(on.evidence(y)).id == "zeros_not_counted");  // NaN where all are 0
  for (float& value : y) value = std::isnan(value) ? 0 : value;
  CHECK(diagnose(on.evidence(y)).id == "zeros_not_counted");
}

TEST_CASE("an average times 1 / count in integers is named by its zeros below 0") {
  std::mt19937 random(8);
  const MadeCase windows = avg_pool_case({1, 2, 6, 6, 3, 3, 1, 1, 2, 2}, true, random);
  const MadeCase channels = global_avg_pool_case(3, 5, 4, 3, random);
  for (const MadeCase& on : {windows, channels}) {
    std::vector<float> y;
    for (const double mean : on.reference) y.push_back(0 * float(mean));
    CAPTURE(on.op);
    CHECK(diagnose(on.evidence(y)).id == "whole_reciprocal");
    CHECK(diagnose(on.evidence(std::vector<float>(y.size(), 0.0f))).id == "all_zero");
    Evidence by_library = on.evidence(y);
    by_library.libraries = {"cudnn"};
    CHECK(diagnose(by_library).id != "whole_reciprocal");
  }
}

TEST_CASE("a softmax that overflows is named") {
  std::mt19937 random(6);
  const MadeCase on = softmax_case(4, 5, 100, random);
  const auto& x = on.inputs.at("x");
  std::vector<float> y(x.size());
  for (size_t row = 0; row < 4; ++row) {
    float sum = 0;
    for (size_t i = 0; i < 5; ++i) sum += y[row * 5 + i] = std::exp(x[row * 5 + i]);
    for (size_t i = 0; i < 5; ++i) y[row * 5 + i] /= sum;
  }
  const Diagnosis diagnosis = diagnose(on.evidence(y));
  CHECK(diagnosis.id == "softmax_overflow");
  CHECK(says(diagnosis, "NaN"));
}

TEST_CASE(
    "a softmax whose maximum starts at 0 is named where other rows would overflow without it") {
  std::mt19937 random(6);
  MadeCase on = softmax_case(4, 5, 2, random);
  std::vector<float>& x = on.inputs.at("x");
  for (float& value : x) value -= 1000;
  const auto told = [&] {
    std::vector<float> y(x.size());
    for (size_t row = 0; row < 4; ++row) {
      float largest = 0, sum = 0;
      for (size_t i = 0; i < 5; ++i) largest = std::max(largest, x[row * 5 + i]);
      for (size_t i = 0; i < 5; ++i) sum += y[row * 5 + i] = std::exp(x[row * 5 + i] - largest);
      for (size_t i = 0; i < 5; ++i) y[row * 5 + i] /= sum;
    }
    return diagnose(on.evidence(y));
  };
  const Diagnosis either = told();
  CHECK((either.id == "softmax_overflow" && says(either, "overflow or underflow")));
  for (size_t i = 5; i < 15; ++i) x[i] += i < 10 ? 1200 : 1000;
  const Diagnosis from_zero = told();
  CHECK((from_zero.id == "softmax_overflow" && says(from_zero, "starts at 0")));
  // A case that passes, of which no output is at hand, speaks against a program that would
  // overflow.
  for (float& value : x) value += value < -500 ? 2000.0f : 0.0f;
  const std::vector<float> any(x.size());
  Evidence right = on.evidence(any);
  right.got.f32 = {};
  right.comparison = {};
  int shown = 0, not_shown = 0;
  for (const MistakeModel& model : registered_mistakes()) {
    if (std::string_view(model.id) != "softmax_overflow") continue;
    const Guess guess{model.id, model.sentence, model.hint, Guess::Basis::model};
    const bool starts_at_0 = std::string_view(model.sentence).starts_with("The maximum");
    (starts_at_0 ? not_shown : shown) += would_show(guess, right);
  }
  CHECK((shown == 1 && not_shown == 0));
}

TEST_CASE("a softmax with one maximum for all rows is named") {
  std::mt19937 random(6);
  MadeCase on = softmax_case(4, 5, 100, random);
  std::vector<float>& x = on.inputs.at("x");
  for (size_t i = 5; i < 10; ++i) x[i] -= 1000;
  const float largest = *std::ranges::max_element(x);
  std::vector<float> y(x.size());
  for (size_t row = 0; row < 4; ++row) {
    float sum = 0;
    for (size_t i = 0; i < 5; ++i) sum += y[row * 5 + i] = std::exp(x[row * 5 + i] - largest);
    for (size_t i = 0; i < 5; ++i) y[row * 5 + i] /= sum;
  }
  CHECK(diagnose(on.evidence(y)).id == "softmax_maximum_of_the_batch");
}

TEST_CASE("a relu that loses NaN is named") {
  std::mt19937 random(6);
  const MadeCase on = activation_case("relu_forward", random);
  std::vector<float> y;
  for (float value : on.inputs.at("x")) y.push_back(value > 0 ? value : 0);
  CHECK(diagnose(on.evidence(y)).id == "nan_lost");
}

TEST_CASE("transposed weights of a dense layer are named") {
  std::mt19937 random(6);
  const MadeCase on = dense_case(3, 7, 4, random);
  const auto &x = on.inputs.at("x"), &w = on.inputs.at("w"), &b = on.inputs.at("b");
  std::vector<float> y;
  for (size_t n = 0; n < 3; ++n) {
    for (size_t o = 0; o < 4; ++o) {
      float sum = b[o];
      for (size_t i = 0; i < 7; ++i) sum += x[n * 7 + i] * w[i * 4 + o];
      y.push_back(sum);
    }
  }
  CHECK(diagnose(on.evidence(y)).id == "transposed_dense");
}

TEST_CASE("the extra padding put before is named") {
  const MadeCase on = same_padding_case(10, 4, 1, 1);
  const std::vector<int32_t> p{2, 1};
  const Diagnosis diagnosis = diagnose(on.evidence(p));
  CHECK(diagnosis.id == "same_padding_before");
  CHECK(
      diagnosis.message ==
      "2 of 2 outputs differ (they must be exact). First: p[0] expected 1, got 2.\n"
      "When the total padding is odd, the extra element is put before; TensorFlow puts it after.");
}

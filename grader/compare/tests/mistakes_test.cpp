// SPDX-License-Identifier: MIT
// What holds of the models of all stages. What each model names is tested in its stage's folder,
// mistakes/tests/, and all those tests see the models of all stages, as a submission does.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "compare/diagnose.h"
#include "compare/precision.h"
#include "compare/tests/made_case.h"

using namespace convkit;

TEST_CASE("every mistake says what is wrong and what to look at in whole sentences") {
  REQUIRE(registered_mistakes().size() > 60);
  for (const MistakeModel& model : registered_mistakes()) {
    CAPTURE(model.id);
    CHECK(std::string_view(model.sentence).ends_with('.'));
    const std::string_view hint = model.hint;
    CHECK((hint.ends_with('.') || hint.ends_with('?') || hint.ends_with(".)")));
  }
}

namespace {

// An operation on random inputs of these sizes.
struct Drawn {
  Drawn(const char* op, std::map<std::string, double> params, std::map<std::string, int64_t> inputs,
        const char* output, std::vector<int64_t> dims) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-1, 1);
    for (const auto& [name, size] : inputs) {
      std::vector<float>& tensor = (*data)[name];
      for (int64_t i = 0; i < size; ++i) tensor.push_back(values(random));
      evidence.inputs.push_back({name, {}, tensor, {}, {}});
    }
    evidence.op = op;
    evidence.params = std::move(params);
    evidence.got = evidence.reference = {output, dims, {}, {}, {}};
    evidence.comparison.elements = 1;
    for (const int64_t dim : dims) evidence.comparison.elements *= dim;
  }

  // Shared: the evidence of a copy looks at the same tensors.
  using Tensors = std::map<std::string, std::vector<float>>;
  std::shared_ptr<Tensors> data = std::make_shared<Tensors>();
  Evidence evidence;
};

}  // namespace

TEST_CASE("rounded inputs are named for every operation of every stage that sums products") {
  const std::map<std::string, double> window = {
      {"n", 2},        {"c", 3},          {"h", 6},          {"w", 5},     {"m", 4},
      {"kh", 3},       {"kw", 2},         {"pad_h", 1},      {"pad_w", 0}, {"stride_h", 1},
      {"stride_w", 1}, {"dilation_h", 1}, {"dilation_w", 1}, {"groups", 1}};
  const std::map<std::string, double> matrices = {{"rows", 7}, {"inner", 12}, {"cols", 9}};
  const std::map<std::string, double> dense = {{"n", 7}, {"in", 12}, {"out", 9}};
  auto scaled = window;
  scaled.insert({{"alpha", 1}, {"beta", 0}});
  const int64_t x = 2 * 3 * 6 * 5, w = 4 * 3 * 3 * 2, y = 2 * 4 * 6 * 4;
  const std::vector<int64_t> x_dims = {2, 3, 6, 5}, w_dims = {4, 3, 3, 2}, y_dims = {2, 4, 6, 4};
  const FactorNames forward = {"x", "w"}, to_x = {"dy", "w"}, to_w = {"x", "dy"};
  const std::vector<std::pair<Drawn, FactorNames>> all = {
      {{"conv2d_forward", window, {{"x", x}, {"w", w}, {"b", 4}}, "y", y_dims}, forward},
      {{"conv2d_cudnn", window, {{"x", x}, {"w", w}, {"b", 4}}, "y", y_dims}, forward},
      {{"matrix_product", matrices, {{"a", 84}, {"b", 108}}, "c", {7, 9}}, {"a", "b"}},
      {{"gemm_fast", matrices, {{"a", 84}, {"b", 108}}, "c", {7, 9}}, {"a", "b"}},
      {{"conv2d_xgrad_gather", window, {{"dy", y}, {"w", w}}, "dx", x_dims}, to_x},
      {{"conv2d_xgrad_cudnn", scaled, {{"dy", y}, {"w", w}}, "dx", x_dims}, to_x},
      {{"conv2d_wgrad_gemm", window, {{"x", x}, {"dy", y}}, "dw", w_dims}, to_w},
      {{"conv2d_wgrad_cudnn", scaled, {{"x", x}, {"dy", y}}, "dw", w_dims}, to_w},
      {{"dense_forward", dense, {{"x", 84}, {"w", 108}, {"b", 9}}, "y", {7, 9}}, forward},
      {{"dense_xgrad", dense, {{"dy", 63}, {"w", 108}}, "dx", {7, 12}}, to_x},
      {{"dense_wgrad", dense, {{"x", 84}, {"dy", 63}}, "dw", {9, 12}}, to_w}};
  for (const auto& [drawn, factors] : all) {
    Evidence evidence = drawn.evidence;
    CAPTURE(evidence.op);
    const auto right = product_sum(evidence);
    REQUIRE(right);
    Evidence rounded = evidence;
    Drawn::Tensors narrow = *drawn.data;
    for (CaseTensor& input : rounded.inputs) {
      const bool factor = input.name == factors[0] || input.name == factors[1];
      for (float& value : narrow[input.name]) {
        if (factor) value = input_formats()[3].rounded(value, 1);
      }
      input.f32 = narrow[input.name];
    }
    REQUIRE(std::string(input_formats()[3].name) == "bfloat16");
    const auto wrong = product_sum(rounded);
    const std::vector<float> got(wrong->begin(), wrong->end());
    evidence.reference.f64 = *right;
    evidence.got.f32 = got;
    CHECK(lost_inputs(evidence, factors) == "bfloat16 inputs");
  }
}

namespace {

// Back through 3 x 2 windows that are 2 x 1 apart, with a border of one row and column, over random
// numbers of which most are negative.
struct PooledBack {
  static constexpr int64_t kPlanes = 6, kH = 7, kW = 5, kOutH = 4, kOutW = 6;

  explicit PooledBack(const char* op)
      : drawn(op,
              {{"n", 2},
               {"c", 3},
               {"h", kH},
               {"w", kW},
               {"kh", 3},
               {"kw", 2},
               {"pad_h", 1},
               {"pad_w", 1},
               {"stride_h", 2},
               {"stride_w", 1},
               {"count_padding", 0}},
              {{"x", kPlanes * kH * kW}, {"dy", kPlanes * kOutH * kOutW}}, "dx", {2, 3, kH, kW}),
        is_max(drawn.evidence.op.starts_with("max")) {
    for (float& value : (*drawn.data)["x"]) value = 0.6f * value - 0.4f;
  }

  // Element `at` of a plane that a window begins with, and is given back for what is larger.
  using Best = std::function<int64_t(const float* plane, int64_t row, int64_t row_end, int64_t col,
                                     int64_t col_end)>;
  // Of an element of an axis: whether it looks at a window that holds it.
  using Looks = std::function<bool(int64_t at, int64_t window, int64_t kernel, int64_t stride)>;

  std::vector<double> result(const Best& best, const Looks& looks) const {
    const std::vector<float>& x = drawn.data->at("x");
    const std::vector<float>& dy = drawn.data->at("dy");
    std::vector<double> dx(x.size());
    for (int64_t one = 0; one < kPlanes * kOutH * kOutW; ++one) {
      const int64_t i = one / kOutW % kOutH, j = one % kOutW, begin = one / kOutW / kOutH * kH * kW;
      const int64_t top = i * 2 - 1, left = j - 1;
      const int64_t row = std::max<int64_t>(top, 0), row_end = std::min(top + 3, kH);
      const int64_t col = std::max<int64_t>(left, 0), col_end = std::min(left + 2, kW);
      const int64_t found = is_max ? best(&x[size_t(begin)], row, row_end, col, col_end) : -1;
      const double parts = is_max ? 1 : double((row_end - row) * (col_end - col));
      for (int64_t r = row; r < std::min(row_end + reaches_down, kH); ++r) {
        for (int64_t c = col; c < col_end; ++c) {
          const bool gets = !is_max || found == r * kW + c;
          if (!gets || !looks(r, i, 3, 2) || !looks(c, j, 2, 1)) continue;
          // Two windows meet in every second row, and in each column.
          const double windows = r % 2 == 0 ? 2 : 4;
          dx[size_t(begin + r * kW + c)] +=
              double(dy[size_t(one)]) / (by_windows ? windows : parts);
        }
      }
    }
    return dx;
  }

  static int64_t larger_than(float start, int64_t place, const float* plane, int64_t row,
                             int64_t row_end, int64_t col, int64_t col_end) {
    for (int64_t r = row; r < row_end; ++r) {
      for (int64_t c = col; c < col_end; ++c) {
        if (plane[r * kW + c] > start) start = plane[place = r * kW + c];
      }
    }
    return place;
  }
  static int64_t right_best(const float* plane, int64_t row, int64_t row_end, int64_t col,
                            int64_t col_end) {
    return larger_than(-INFINITY, -1, plane, row, row_end, col, col_end);
  }
  static bool looks_at_all(int64_t, int64_t, int64_t, int64_t) { return true; }

  // What a program with this output is told.
  std::string told(const Best& best, const Looks& looks) {
    const std::vector<double> wrong = result(best, looks);
    const int64_t reaches = std::exchange(reaches_down, 0);
    const bool was_by_windows = std::exchange(by_windows, false);
    const std::vector<double> right = result(right_best, looks_at_all);
    reaches_down = reaches, by_windows = was_by_windows;
    const std::vector<float> got(wrong.begin(), wrong.end());
    const std::vector<double> magnitude(right.size(), 4);
    Evidence evidence = drawn.evidence;
    evidence.reference.f64 = right;
    evidence.got.f32 = got;
    evidence.magnitude = magnitude;
    evidence.tolerance.terms = 8;
    evidence.comparison = compare(got, right, magnitude, evidence.tolerance);
    const MistakeModel* model = matching_mistake(evidence);
    return model ? model->sentence : "";
  }
  std::string told_of_start(const Best& best) { return told(best, looks_at_all); }
  std::string told_of_windows(const Looks& looks) { return told(right_best, looks); }

  Drawn drawn;
  bool is_max;
  bool by_windows = false;   // the divisor is the number of windows that hold the element
  int64_t reaches_down = 0;  // rows behind a window that get its gradient, too
};

constexpr const char* kSearch = "The search for a window's largest element begins at ";

}  // namespace

TEST_CASE("where the search for a window's largest element begins is named") {
  PooledBack pool("max_pool2d_backward");
  const auto from_zero = [&](int64_t place_in_plane, bool first_inside) {
    return pool.told_of_start(
        [=](const float* plane, int64_t row, int64_t row_end, int64_t col, int64_t col_end) {
          const int64_t place = first_inside ? row * PooledBack::kW + col : place_in_plane;
          return PooledBack::larger_than(0, place, plane, row, row_end, col, col_end);
        });
  };
  CHECK_THAT(from_zero(-1, false), Catch::StartsWith(std::string(kSearch) + "0 (or") &&
                                       Catch::Contains("positive element is lost"));
  CHECK_THAT(from_zero(-1, true), Catch::StartsWith(std::string(kSearch) + "0 (or") &&
                                      Catch::Contains("to its first element"));
  CHECK_THAT(from_zero(0, false), Catch::StartsWith(std::string(kSearch) + "0 (or") &&
                                      Catch::Contains("element 0 of the plane"));
  CHECK_THAT(pool.told_of_start([](const float* plane, int64_t row, int64_t row_end, int64_t col,
                                   int64_t col_end) {
    return PooledBack::larger_than(plane[0], 0, plane, row, row_end, col, col_end);
  }),
             Catch::StartsWith(std::string(kSearch) + "element 0 of the plane"));
}

TEST_CASE("the windows that an element does not look at are named, back through a pooling") {
  for (const char* op : {"max_pool2d_backward", "avg_pool2d_backward"}) {
    CAPTURE(op);
    PooledBack pool(op);
    const auto last = [](int64_t at, int64_t window, int64_t, int64_t stride) {
      return window == (at + 1) / stride;
    };
    // An average that each window stores anew comes to the same.
    CHECK_THAT(pool.told_of_windows(last),
               Catch::Contains(pool.is_max ? "Only the last window that holds"
                                           : "or only the last window that holds"));
    const auto first = [](int64_t at, int64_t window, int64_t kernel, int64_t stride) {
      return window == 0 || (window - 1) * stride - 1 + kernel <= at;
    };
    CHECK_THAT(pool.told_of_windows(first), Catch::StartsWith("Only the first window that holds"));
    const auto rounded = [](int64_t at, int64_t window, int64_t kernel, int64_t stride) {
      return window >= (at + 1 - kernel) / stride + 1;
    };
    CHECK_THAT(pool.told_of_windows(rounded), Catch::Contains("miss window 0"));
  }
}

TEST_CASE("windows that do not hold an element, and numbers in another order, are named") {
  PooledBack average("avg_pool2d_backward");
  average.reaches_down = 1;  // 3 rows, 2 apart: two windows for each row
  CHECK_THAT(average.told_of_windows(PooledBack::looks_at_all),
             Catch::Contains("do not hold it, and add their gradient to it"));
  average.reaches_down = 2;
  CHECK(average.told_of_windows(PooledBack::looks_at_all).empty());
  average.reaches_down = 0;
  average.by_windows = true;
  CHECK_THAT(average.told_of_windows(PooledBack::looks_at_all),
             Catch::StartsWith("dy is divided by the number of windows that hold the element"));
  PooledBack pool("max_pool2d_backward");
  const auto by = [&](auto key) {
    return pool.told_of_start(
        [=](const float* plane, int64_t row, int64_t row_end, int64_t col, int64_t col_end) {
          int64_t best = row * PooledBack::kW + col;
          for (int64_t r = row; r < row_end; ++r) {
            for (int64_t c = col; c < col_end; ++c) {
              const int64_t at = r * PooledBack::kW + c;
              if (key(plane[at]) > key(plane[best])) best = at;
            }
          }
          return best;
        });
  };
  CHECK_THAT(by([](float x) { return std::bit_cast<int32_t>(x); }),
             Catch::StartsWith("In a window without an element of at least 0 the smallest"));
  CHECK_THAT(by([](float x) { return std::fabs(x); }),
             Catch::StartsWith("The element farthest from 0"));
  CHECK(by([](float x) { return -x; }).find("0") == std::string::npos);
}

TEST_CASE("taps that are found without the dilation are named") {
  constexpr int kH = 17, kW = 4, kOut = 2, kKernel = 4, kStride = 4, kDilation = 3;
  std::mt19937 random(8);
  const std::vector<float> dy = normal_values(random, kOut * kW);
  const std::vector<float> w = normal_values(random, kKernel);
  MadeCase made;
  made.op = "conv2d_xgrad_gather";
  made.output = "dx";
  made.dims = {1, 1, kH, kW};
  made.terms = 8;
  made.params = {{"n", 1},          {"c", 1},
                 {"m", 1},          {"h", kH},
                 {"w", kW},         {"kh", kKernel},
                 {"kw", 1},         {"pad_h", 0},
                 {"pad_w", 0},      {"stride_h", kStride},
                 {"stride_w", 1},   {"dilation_h", kDilation},
                 {"dilation_w", 1}, {"groups", 1},
                 {"accumulate", 0}};
  made.inputs = {{"dy", dy}, {"w", w}};
  // counts(row, p): whether output (row - p * kDilation) / kStride has read this row with tap p.
  const auto gradient = [&](auto counts) {
    std::vector<float> dx(kH * kW);
    for (int at = 0; at < kH * kW; ++at) {
      for (int p = 0; p < kKernel; ++p) {
        const int row = at / kW, down = row - p * kDilation;
        if (down < 0 || down / kStride >= kOut || !counts(row, p)) continue;
        dx[size_t(at)] += dy[size_t(down / kStride * kW + at % kW)] * w[size_t(p)];
      }
    }
    return dx;
  };
  const std::vector<float> right =
      gradient([](int row, int p) { return (row - p * kDilation) % kStride == 0; });
  made.reference.assign(right.begin(), right.end());
  made.magnitude.assign(right.size(), 8);
  const auto named = [&](auto counts) { return diagnose(made.evidence(gradient(counts))).id; };
  CHECK(named([](int row, int p) { return p % kStride == row % kStride; }) ==
        "taps_without_dilation");
  CHECK(named([](int row, int p) { return p % kStride == (row + 1) % kStride; }) !=
        "taps_without_dilation");
}

TEST_CASE("a last tap that some elements lack is named, back through a convolution") {
  constexpr int kH = 11, kW = 9, kKernel = 5, kOutH = 3, kOutW = 5;
  std::mt19937 random(3);
  MadeCase made;
  made.op = "conv2d_xgrad_gather";
  made.output = "dx";
  made.dims = {1, 1, kH, kW};
  made.terms = 25;
  made.params = {{"n", 1},          {"c", 1},        {"m", 1},         {"h", kH},
                 {"w", kW},         {"kh", 5},       {"kw", 1},        {"pad_h", 0},
                 {"pad_w", 0},      {"stride_h", 3}, {"stride_w", 2},  {"dilation_h", 1},
                 {"dilation_w", 1}, {"groups", 1},   {"accumulate", 0}};
  const std::vector<float> dy = normal_values(random, kOutH * kOutW);
  const std::vector<float> w = normal_values(random, kKernel);
  made.inputs = {{"dy", dy}, {"w", w}};
  const auto gradient = [&](int taps) {
    std::vector<float> dx(kH * kW);
    for (int at = 0; at < kOutH * kOutW; ++at) {
      for (int p = 0; p < taps; ++p) {
        const int row = at / kOutW * 3 + p, column = at % kOutW * 2;
        dx[size_t(row * kW + column)] += dy[size_t(at)] * w[size_t(p)];
      }
    }
    return dx;
  };
  const std::vector<float> right = gradient(kKernel);
  made.reference.assign(right.begin(), right.end());
  made.magnitude.assign(right.size(), 8);
  CHECK(diagnose(made.evidence(gradient(3))).id == "taps_rounded_down");
  CHECK(diagnose(made.evidence(gradient(2))).id != "taps_rounded_down");
}

TEST_CASE(
    "neighbours of dy that lie in other rows or maps are named where a thread takes several") {
  constexpr int kImages = 2, kMaps = 3, kH = 6, kW = 7, kOut = 5, kPlane = kOut * kOut;
  std::mt19937 random(3);
  const std::vector<float> dy = normal_values(random, kImages * kMaps * kPlane);
  const std::vector<float> w = normal_values(random, kMaps * 6);
  const std::vector<float> x = normal_values(random, kImages * kH * kW);
  const auto made_for = [&](const char* op, const char* output, std::vector<int64_t> dims) {
    MadeCase made;
    made.op = op, made.output = output, made.dims = std::move(dims), made.terms = 60;
    made.params = {{"n", kImages},    {"c", 1},        {"m", kMaps},     {"h", kH},
                   {"w", kW},         {"kh", 2},       {"kw", 3},        {"pad_h", 0},
                   {"pad_w", 0},      {"stride_h", 1}, {"stride_w", 1},  {"dilation_h", 1},
                   {"dilation_w", 1}, {"groups", 1},   {"accumulate", 0}};
    made.inputs = {{"dy", dy}, {"w", w}, {"x", x}};
    return made;
  };
  MadeCase of_x = made_for("conv2d_xgrad_scatter", "dx", {kImages, 1, kH, kW});
  MadeCase of_w = made_for("conv2d_wgrad_scatter", "dw", {kMaps, 1, 2, 3});
  // Element `at` of dy counts where counts(at), with its column by that of element first(at).
  const auto gradient = [&](bool to_x, auto first, auto counts) {
    std::vector<float> result(to_x ? x.size() : w.size());
    for (int at = 0; at < kImages * kMaps * kPlane; ++at) {
      if (!counts(at)) continue;
      const int from = first(at), column = from % kOut + at - from;
      const int row = from / kOut % kOut, map = from / kPlane % kMaps,
                image = from / kPlane / kMaps;
      for (int tap = 0; tap < 6; ++tap) {
        if (column + tap % 3 >= kW) continue;
        const auto in_x = size_t((image * kH + row + tap / 3) * kW + column + tap % 3);
        const auto in_w = size_t(map * 6 + tap);
        const float by = to_x ? w[in_w] : x[in_x];
        result[to_x ? in_x : in_w] += dy[size_t(at)] * by;
      }
    }
    return result;
  };
  const auto itself = [](int at) { return at; };
  const auto always = [](int) { return true; };
  for (MadeCase* made : {&of_x, &of_w}) {
    const bool to_x = made == &of_x;
    const std::vector<float> right = gradient(to_x, itself, always);
    made->reference.assign(right.begin(), right.end());
    made->magnitude.assign(right.size(), 30);
    const auto named = [&](auto first, auto counts) {
      return diagnose(made->evidence(gradient(to_x, first, counts))).id;
    };
    CHECK(named([](int at) { return at / 2 * 2; }, always) == "neighbours_in_one_row");
    CHECK(named([](int at) { return at / 8 * 8; }, always) == "neighbours_in_one_row");
    CHECK(named([](int at) { return at / 3 * 3; }, always).empty());
    if (to_x) continue;  // nothing is summed up for a map
    CHECK(named(itself, [](int at) {
            const int last = std::min(at / 32 * 32 + 31, kImages * kMaps * kPlane - 1);
            return at / kPlane != last / kPlane;
          }) == "last_map_of_share");
    CHECK(named(itself, [](int at) { return at % 32 < 30; }) != "last_map_of_share");
  }
}

TEST_CASE("sums of parts that came to other taps are told by the sum of all") {
  MadeCase made;
  made.op = "conv2d_wgrad";
  made.output = "dw";
  made.dims = {2, 1, 2, 3};
  made.terms = 100;
  std::vector<float> got;
  for (int i = 0; i < 12; ++i) {
    made.reference.push_back(100 + i * i);
    made.magnitude.push_back(100 + i * i);
    got.push_back(float(100 + i * i + (i % 2 == 0 ? 7 : -7)));
  }
  CHECK(diagnose(made.evidence(got)).id == "parts_mixed");
  got[0] += 3;
  CHECK(diagnose(made.evidence(got)).id != "parts_mixed");
  // The same in another order is no such thing.
  std::vector<float> turned(made.reference.rbegin(), made.reference.rend());
  CHECK(diagnose(made.evidence(turned)).id != "parts_mixed");
}

TEST_CASE("taps behind one in the left padding that do not count are told") {
  constexpr int kColumns = 6, kTaps = 7, kPad = 3;
  std::mt19937 random(3);
  MadeCase made;
  made.op = "conv2d_wgrad_scatter";
  made.params = {{"n", 1},         {"c", 1},        {"m", 1},        {"h", 3},
                 {"w", kColumns},  {"kh", 1},       {"kw", kTaps},   {"pad_h", 0},
                 {"pad_w", kPad},  {"stride_h", 1}, {"stride_w", 1}, {"dilation_h", 1},
                 {"dilation_w", 1}};
  made.output = "dw";
  made.dims = {1, 1, 1, kTaps};
  made.terms = 18;
  made.inputs = {{"x", normal_values(random, 18)}, {"dy", normal_values(random, 18)}};
  std::vector<float> got(kTaps, 0.0f);
  made.reference.assign(kTaps, 0);
  made.magnitude.assign(kTaps, 20);
  for (int at = 0; at < 18; ++at) {
    const int j = at % kColumns;
    for (int q = 0; q < kTaps; ++q) {
      if (j - kPad + q < 0 || j - kPad + q >= kColumns) continue;
      const double product =
          double(made.inputs["x"][size_t(at - kPad + q)]) * double(made.inputs["dy"][size_t(at)]);
      made.reference[size_t(q)] += product;
      if (j >= kPad) got[size_t(q)] += float(product);
    }
  }
  const Evidence evidence = made.evidence(got);
  const auto guesses = matching_mistakes(evidence);
  CHECK(std::ranges::any_of(guesses, [](const MatchingMistake& one) {
    return std::string(one.model->sentence).find("left of the image, the taps to its right") !=
           std::string::npos;
  }));
}

TEST_CASE("an average that is multiplied by a whole reciprocal is told") {
  MadeCase made;
  made.op = "avg_pool2d_backward";
  made.params = {
      {"n", 1},     {"c", 1},     {"h", 3},        {"w", 3},        {"kh", 2},           {"kw", 2},
      {"pad_h", 1}, {"pad_w", 1}, {"stride_h", 2}, {"stride_w", 2}, {"count_padding", 0}};
  made.output = "dx";
  made.dims = {1, 1, 3, 3};
  made.terms = 5;
  made.inputs = {{"dy", {1, 2, 3, 4}}};
  made.reference = {1, 1, 1, 1.5, 1, 1, 1.5, 1, 1};  // windows of 1, 2, 2 and 4 elements
  made.magnitude.assign(9, 4);
  const std::vector<float> got = {1, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(diagnose(made.evidence(got)).id == "whole_reciprocal");
}

TEST_CASE("what a model says of an output that holds nothing needs support") {
  MadeCase made;
  made.op = "conv2d_bgrad_cudnn";
  made.params = {{"n", 1}, {"m", 5}, {"alpha", 1}, {"beta", 0}};
  made.output = "db";
  made.dims = {5};
  made.terms = 5;
  made.reference = {1, 2, 3, 4, 5};
  made.magnitude = {1, 2, 3, 4, 5};
  const std::vector<float> got(5, 0.0f);
  const Evidence evidence = made.evidence(got);
  const auto found = matching_mistakes(evidence);
  REQUIRE_FALSE(found.empty());
  CHECK(std::ranges::all_of(found, &MatchingMistake::needs_support));
  CHECK(matching_mistake(evidence) == nullptr);
}

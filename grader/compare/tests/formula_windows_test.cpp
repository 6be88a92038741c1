// SPDX-License-Identifier: MIT
// Mistakes in windows, steps and what is used in several places: programs are written by hand here,
// and must be named.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/tests/formula_case.h"

using namespace convkit;
using namespace convkit::formula_tests;

namespace {

constexpr const char* kWindowSums =
    "v[i<h, j<w] = sum(p<kh, q<kw) x[i - pad + p ? h, j - pad + q ? w] * f[p:kh, q:kw]";
constexpr const char* kLargest =
    "l[i<o, j<o] = max(p<kh, q<kw) x[i*2 - pad + p ? h, j*2 - pad + q ? w]";
constexpr const char* kFilters =
    "t[k<m, j<n] = sum(p<kh, q<kw) f[k:m, p:kh, q:kw] * x[j + p*kw + q : size]";
constexpr const char* kHalves = "z[s<oh*ow] = x[s//ow : h, s%ow : w]; oh = h // 2; ow = w // 2";
constexpr const char* kMeans = "e[i<n] = g[i:n] - x[i:n] / (n * area) - f[i:n] / (n * area)";

const OperationFormula kWindowFormulas[] = {{"windows", kWindowSums, ""},
                                            {"windows", kLargest, ""},
                                            {"windows", kFilters, ""},
                                            {"windows", kHalves, ""},
                                            {"windows", kMeans, ""}};
const RegisterFormulas kRegisteredWindows(kWindowFormulas);

bool is_told_of_windows(Case& one, const std::vector<double>& output, const std::string& begin) {
  one.evidence.op = "windows";
  for (const std::string& sentence : one.told(output)) {
    if (sentence.starts_with(begin)) return true;
    UNSCOPED_INFO(sentence);
  }
  return false;
}

constexpr int kH = 5, kW = 6, kTaps = 3;
const std::vector<float> kX = drawn(kH * kW), kF = drawn(kTaps * kTaps);

Case sums() {
  return Case(kWindowSums, {{"kh", kTaps}, {"kw", kTaps}, {"pad", 1}}, {{"x", kX}, {"f", kF}},
              {kH, kW});
}

// Every window's sum; a row or a column outside of x ends the loop over it where it is told to.
std::vector<double> sums_that_end(bool rows_end, bool columns_end) {
  std::vector<double> output;
  for (int i = 0; i < kH; ++i) {
    for (int j = 0; j < kW; ++j) {
      double sum = 0;
      for (int p = 0; p < kTaps; ++p) {
        const int row = i - 1 + p;
        if (row < 0 || row >= kH) {
          if (rows_end) break;
          continue;
        }
        for (int q = 0; q < kTaps; ++q) {
          const int column = j - 1 + q;
          if (column < 0 || column >= kW) {
            if (columns_end) break;
            continue;
          }
          sum += double(kX[size_t(row * kW + column)]) * double(kF[size_t(p * kTaps + q)]);
        }
      }
      output.push_back(sum);
    }
  }
  return output;
}

}  // namespace

TEST_CASE("a loop that ends at the first place in the padding is named") {
  Case one = sums();
  CHECK(sums_that_end(false, false) == one.values());
  CHECK(is_told_of_windows(
      one, sums_that_end(false, true),
      "The loop over q (the kernel column) ends at the first place outside of x"));
  CHECK(
      is_told_of_windows(one, sums_that_end(true, false),
                         "The loop over p (the kernel row) ends at the first place outside of x"));
  CHECK(is_told_of_windows(
      one, sums_that_end(true, true),
      "The loop over p (the kernel row), and that over q (the kernel column), ends at"));
}

TEST_CASE("a window that begins in the padding and reaches too far is named") {
  constexpr int kOutputs = 4, kPad = 2, kLong = 4;
  Case one(kLargest, {{"kh", kLong}, {"kw", kLong}, {"pad", kPad}, {"h", kH}, {"w", kW}},
           {{"x", kX}}, {kOutputs, kOutputs});
  std::vector<double> output, right;
  for (int i = 0; i < kOutputs; ++i) {
    for (int j = 0; j < kOutputs; ++j) {
      const auto largest = [&](bool clipped_first) {
        double value = -1e9;
        const int top = i * 2 - kPad, left = j * 2 - kPad;
        const int bottom = (clipped_first ? std::max(top, 0) : top) + kLong;
        const int end = (clipped_first ? std::max(left, 0) : left) + kLong;
        for (int row = std::max(top, 0); row < std::min(bottom, kH); ++row) {
          for (int column = std::max(left, 0); column < std::min(end, kW); ++column) {
            value = std::max(value, double(kX[size_t(row * kW + column)]));
          }
        }
        return value;
      };
      output.push_back(largest(true));
      right.push_back(largest(false));
    }
  }
  CHECK(right == one.values());
  CHECK(is_told_of_windows(one, output,
                           "Where a window begins in the padding, its first row is raised to 0"));
}

TEST_CASE("the step of one axis that is taken from another is named, as far as it stays inside") {
  constexpr int kMaps = 4, kRows = 4, kColumns = 2, kN = 12;
  const std::vector<float> f = drawn(kMaps * kRows * kColumns), x = drawn(kN + kRows * kColumns);
  Case one(kFilters, {{"kh", kRows}, {"kw", kColumns}, {"size", double(x.size())}},
           {{"f", f}, {"x", x}}, {kMaps, kN});
  std::vector<double> output;
  for (int k = 0; k < kMaps; ++k) {
    for (int j = 0; j < kN; ++j) {
      double sum = 0;
      for (int p = 0; p < kRows; ++p) {
        for (int q = 0; q < kColumns; ++q) {
          const size_t place = size_t(k * kRows * kColumns + p * kRows + q);
          // What lies behind f is anything.
          const double weight = place < f.size() ? double(f[place]) : 1234.5;
          sum += weight * double(x[size_t(j + p * kColumns + q)]);
        }
      }
      output.push_back(sum);
    }
  }
  CHECK(is_told_of_windows(
      one, output,
      "Where f is read, the step from one kernel row to the next is `kh` instead of "
      "`kw`."));
}

TEST_CASE("a height in all places of a width is named") {
  constexpr int kHeight = 8, kWidth = 12;
  const std::vector<float> x = drawn(kHeight * kWidth);
  Case one(kHalves, {{"h", kHeight}, {"w", kWidth}}, {{"x", x}}, {24});
  std::vector<double> output;
  for (int s = 0; s < 24; ++s) output.push_back(double(x[size_t(s / 4 * kWidth + s % 4)]));
  CHECK(is_told_of_windows(one, output, "oh is used wherever ow belongs."));
}

TEST_CASE("what is computed once and used twice is named once") {
  const std::vector<float> g = drawn(9), x = {3, -5, 7, 11, -13, 2, 6, -9, 4},
                           f = {1, 4, -6, 2, 8, 3, -7, 5, 9};
  Case one(kMeans, {{"area", 5}}, {{"g", g}, {"x", x}, {"f", f}}, {9});
  std::vector<double> output;
  for (size_t i = 0; i < 9; ++i) {
    output.push_back(double(g[i]) - double(x[i]) / 9 - double(f[i]) / 9);
  }
  CHECK(
      is_told_of_windows(one, output, "area is missing, at all places where `n * area` belongs."));
}

namespace {

constexpr const char* kShared = "r[m<maps] = sum(i<n, j<long) x[i:n, j:long] * f[m:maps, j:long]";
constexpr const char* kStrips = "q[i<o, j<t] = sum(p<kh) x[i*2 + p : h, j : t] * f[p:kh]";
constexpr const char* kPlaced =
    "u[i<size_h] = x[i*stride_h - before_h ? h] + 2 * x[i*stride_h ? h]"
    "; before_h = (stride_h * kh - dilation_h) // 2; size_h = (h + dilation_h) // stride_h"
    "; before_w = stride_w * dilation_w";
const OperationFormula kMore[] = {
    {"windows", kShared, ""}, {"windows", kStrips, ""}, {"windows", kPlaced, ""}};
const RegisterFormulas kMoreRegistered(kMore);

}  // namespace

TEST_CASE("parts of a sum that overlap are named") {
  constexpr int kImages = 20, kLong = 10, kMaps = 5;
  const std::vector<float> x = drawn(kImages * kLong), f = drawn(kMaps * kLong);
  Case one(kShared, {{"n", kImages}, {"long", kLong}}, {{"x", x}, {"f", f}}, {kMaps});
  // Two blocks of 64 threads; thread t of block b begins at 64 b + t and steps by 64, not by 128.
  std::vector<double> output;
  for (int m = 0; m < kMaps; ++m) {
    double sum = 0;
    for (int b = 0; b < 2; ++b) {
      for (int t = 0; t < 64; ++t) {
        for (int e = 64 * b + t; e < kImages * kLong; e += 64) {
          sum += double(x[size_t(e)]) * double(f[size_t(m * kLong + e % kLong)]);
        }
      }
    }
    output.push_back(sum);
  }
  CHECK(is_told_of_windows(
      one, output,
      "Terms of the sum are added more than once: behind the first 64 of them each is "
      "added by two parts."));
}

TEST_CASE("parts of a sum whose length is rounded down are named") {
  constexpr int kTerms = 3 * 7, kParts = 4, kMaps = 40;  // parts of 5 terms: the last one is lost
  const char* text = "d[k<c] = sum(a<n, i<h) x[a:n, i:h, k:c]";
  static const OperationFormula kFlat[] = {{"windows", text, ""}};
  static const RegisterFormulas registered(kFlat);
  const std::vector<float> x = drawn(kTerms * kMaps);
  Case one(text, {{"n", 3}, {"h", 7}}, {{"x", x}}, {kMaps});
  std::vector<double> output(kMaps, 0);
  for (size_t t = 0; t < kTerms / kParts * kParts; ++t) {
    for (size_t k = 0; k < kMaps; ++k) output[k] += double(x[t * kMaps + k]);
  }
  CHECK(is_told_of_windows(one, output,
                           "Where the sum is cut into parts, the length of a part is rounded"));
}

TEST_CASE("strips of threads that overlap are named") {
  constexpr int kRows = 14, kColumns = 3, kK = 2, kHeight = 2 * kRows + kK;
  const std::vector<float> x = drawn(kHeight * kColumns);
  Case one(kStrips, {{"kh", kK}, {"h", kHeight}}, {{"x", x}, {"f", {2, -3}}}, {kRows, kColumns});
  // Tiles of 8 rows: 4 threads of 2 rows each; thread t begins at row t of the tile.
  std::vector<double> output;
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      const int row = (i / 8 * 8 + i % 8 / 2 + i % 2) * 2;
      output.push_back(2 * double(x[size_t(row * kColumns + j)]) -
                       3 * double(x[size_t((row + 1) * kColumns + j)]));
    }
  }
  CHECK(is_told_of_windows(one, output, "The 2 places along i that one thread computes overlap"));
}

TEST_CASE("arguments exchanged where a part is computed are named") {
  constexpr int kHeight = 12, kStride = 2, kDilation = 3, kK = 4;
  const std::vector<float> x = drawn(kHeight);
  Case one(kPlaced,
           {{"stride_h", kStride},
            {"dilation_h", kDilation},
            {"stride_w", 1},
            {"dilation_w", 1},
            {"kh", kK},
            {"h", kHeight}},
           {{"x", x}}, {(kHeight + kDilation) / kStride});
  const auto at = [&](int row) { return row >= 0 && row < kHeight ? double(x[size_t(row)]) : 0; };
  std::vector<double> output;
  const int before = (kDilation * kK - kStride) / 2, size = (kHeight + kStride) / kDilation;
  for (int i = 0; i < (kHeight + kDilation) / kStride; ++i) {
    const bool is_outside = i * kStride - before < 0 || i * kStride >= kHeight;
    output.push_back(i >= size    ? predicted_unwritten()
                     : is_outside ? 0
                                  : at(i * kStride - before) + 2 * at(i * kStride));
  }
  CHECK(is_told_of_windows(one, output,
                           "dilation and stride are exchanged where size_h is computed"));
}

namespace {

// A formula alone under a name of its own, so that no other one gives the same reference.
struct Alone {
  Alone(const char* name, const char* text) : one{{name, text, ""}}, registered(one) {}
  OperationFormula one[1];
  RegisterFormulas registered;
};

bool is_told_of(const char* op, Case& one, const std::vector<double>& output,
                const std::string& begin) {
  one.evidence.op = op;
  for (const std::string& sentence : one.told(output)) {
    if (sentence.starts_with(begin)) return true;
    UNSCOPED_INFO(sentence);
  }
  return false;
}

}  // namespace

TEST_CASE("a row and a column that are split with wrong lengths are named") {
  // Row r is tap (r / kw, r % kw), column s is output (s / ow, s % ow).
  constexpr int kTapRows = 2, kTapColumns = 3, kRows = 3, kColumns = 4, kHeight = 6, kWidth = 7;
  const char* text =
      "u[r<kh*kw, s<oh*ow] = x[s//ow + r//kw%kh : h, s%ow + r%kw : w]; oh = h - 3; ow = w - 3";
  static const Alone alone("split", text);
  const std::vector<float> x = drawn(kHeight * kWidth);
  Case one(text, {{"h", kHeight}, {"w", kWidth}, {"kh", kTapRows}, {"kw", kTapColumns}}, {{"x", x}},
           {kTapRows * kTapColumns, kRows * kColumns});
  const auto output = [&](auto row_of, auto column_of) {
    std::vector<double> all;
    for (int r = 0; r < kTapRows * kTapColumns; ++r) {
      for (int s = 0; s < kRows * kColumns; ++s) {
        const int at = row_of(r, s) * kWidth + column_of(r, s);
        all.push_back(double(x[size_t(at)]));
      }
    }
    return all;
  };
  CHECK(is_told_of("split", one,
                   output([](int r, int s) { return s / kWidth + r / kTapColumns; },
                          [](int r, int s) { return s % kWidth + r % kTapColumns; }),
                   "Where s is taken apart, w stands for ow: `s // w`, `s % w` instead of `s // "
                   "ow`, `s % ow`."));
  CHECK(is_told_of(
      "split", one,
      output([](int r, int s) { return s / kColumns + r / kTapRows % kTapColumns; },
             [](int r, int s) { return s % kColumns + r % kTapRows; }),
      "Where r is taken apart, kh and kw are exchanged: `r // kh % kw`, `r % kh` instead of"));
}

TEST_CASE(
    "an output's index that is taken apart with a wrong length, or without a rest, is named") {
  constexpr int kChannels = 2, kHeight = 5, kWidth = 4, kAll = kChannels * kHeight * kWidth;
  const char* text = "d[k<c, r<h, s<w] = 2 * f[r:h] * g[s:w] + b[k:c]";
  static const Alone alone("apart", text);
  const std::vector<float> f = drawn(40), g = {3, 5, -7, 2, 9, -4, 6, 1, 8, -2}, b = drawn(12);
  Case one(text, {{"c", kChannels}}, {{"f", f}, {"g", g}, {"b", b}}, {kChannels, kHeight, kWidth});
  std::vector<double> other_length, no_rest;
  for (int at = 0; at < kAll; ++at) {
    const auto value = [&](int k, int r, int s) {
      return 2 * double(f[size_t(r)]) * double(g[size_t(s)]) + double(b[size_t(k)]);
    };
    other_length.push_back(value(at / kHeight / kHeight, at / kHeight % kHeight, at % kHeight));
    no_rest.push_back(value(at / kWidth / kHeight, at / kWidth, at % kWidth));
  }
  CHECK(is_told_of("apart", one, other_length,
                   "Where the index of an element of d is taken apart, s is the remainder by h "
                   "instead of w, and the indices before it come from the quotient"));
  CHECK(is_told_of("apart", one, no_rest,
                   "Where the index of an element of d is taken apart, the remainder by h is "
                   "missing: r goes on counting from one channel to the next"));
}

namespace {

// Planes of 6 x 7, 5 x 5 outputs, 2 x 3 taps.
struct Planes {
  static constexpr int kMaps = 2, kChannels = 3, kHeight = 6, kWidth = 7, kTapRows = 2,
                       kTapColumns = 3, kRows = 5, kColumns = 5;
  static constexpr const char* kText =
      "y[map<m, i<oh, j<ow] = sum(k<c, p<kh, q<kw) x[k:c, i - pad_h + p ? h, j - pad_h + q ? w] * "
      "f[map:m, k:c, p:kh, q:kw]";

  Planes() { static const Alone alone("planes", kText); }
  Case made(int pad) const {
    return Case(kText,
                {{"c", kChannels},
                 {"h", kHeight},
                 {"w", kWidth},
                 {"kh", kTapRows},
                 {"kw", kTapColumns},
                 {"pad_h", pad}},
                {{"x", x}, {"f", f}}, {kMaps, kRows, kColumns});
  }
  // With the place of each tap's element in x, -1 for none, and in f.
  template <class PlaceInX, class PlaceInF>
  std::vector<double> output(PlaceInX in_x, PlaceInF in_f) const {
    std::vector<double> all;
    for (int map = 0; map < kMaps; ++map) {
      for (int i = 0; i < kRows; ++i) {
        for (int j = 0; j < kColumns; ++j) {
          double sum = 0;
          int taken = 0;
          for (int k = 0; k < kChannels; ++k) {
            for (int p = 0; p < kTapRows; ++p) {
              for (int q = 0; q < kTapColumns; ++q) {
                const int place = in_x(k, i, j, p, q);
                if (place < 0) continue;
                sum += double(x[size_t(place)]) * double(f[size_t(in_f(map, k, p, q, taken))]);
                ++taken;
              }
            }
          }
          all.push_back(sum);
        }
      }
    }
    return all;
  }
  static int right_x(int pad, int k, int row, int column) {
    row -= pad, column -= pad;
    const bool inside = row >= 0 && row < kHeight && column >= 0 && column < kWidth;
    return inside ? (k * kHeight + row) * kWidth + column : -1;
  }
  static int right_f(int map, int k, int p, int q, int) {
    return ((map * kChannels + k) * kTapRows + p) * kTapColumns + q;
  }

  std::vector<float> x = drawn(kChannels * kHeight * kWidth);
  std::vector<float> f = drawn(kMaps * kChannels * kTapRows * kTapColumns);
};

}  // namespace

TEST_CASE("a step over the planes of the output is named where x's are read") {
  const Planes planes;
  Case one = planes.made(0);
  const auto in_x = [](int k, int i, int j, int p, int q) {
    return k * Planes::kRows * Planes::kColumns + (i + p) * Planes::kWidth + j + q;
  };
  CHECK(is_told_of("planes", one, planes.output(in_x, Planes::right_f),
                   "Where x is read, the step from one channel to the next is made of `oh * ow` "
                   "instead of `h * w`"));
}

TEST_CASE("weights whose place does not move on in the padding are named") {
  const Planes planes;
  Case one = planes.made(1);
  const auto in_x = [](int k, int i, int j, int p, int q) {
    return Planes::right_x(1, k, i + p, j + q);
  };
  const auto in_f = [](int map, int, int, int, int taken) {
    return map * Planes::kChannels * Planes::kTapRows * Planes::kTapColumns + taken;
  };
  CHECK(is_told_of("planes", one, planes.output(in_x, in_f),
                   "In f the place moves on only with the taps that lie inside: at a tap in the "
                   "padding it must move on, too, or all elements after it are taken too early "
                   "(counted anew for each feature map)."));
}

TEST_CASE("taps whose row and column are exchanged, or split with a wrong length, are named") {
  const Planes planes;
  Case one = planes.made(0);
  const auto exchanged = [](int k, int i, int j, int p, int q) {
    return Planes::right_x(0, k, i + q, j + p);
  };
  CHECK(is_told_of("planes", one, planes.output(exchanged, Planes::right_f),
                   "p and q (row and column of a tap, say) are exchanged where x is read"));
  const auto split = [](int k, int i, int j, int p, int q) {
    const int tap = p * Planes::kTapColumns + q;
    return Planes::right_x(0, k, i + tap / Planes::kTapRows, j + tap % Planes::kTapRows);
  };
  CHECK(is_told_of("planes", one, planes.output(split, Planes::right_f),
                   "The index that holds p and q is taken apart with the wrong length where x is "
                   "read"));
}

TEST_CASE("the carry that a walk through the taps loses is named") {
  const Planes planes;
  Case one = planes.made(0);
  constexpr int kRows = Planes::kTapRows, kColumns = Planes::kTapColumns, kStep = 4;
  // Tap t, walked to from tap t % kStep in steps of kStep.
  const auto walked = [](int k, int p, int q, bool row_carry, bool channel_carry) {
    const int tap = (k * kRows + p) * kColumns + q;
    int column = tap % kStep % kColumns, row = tap % kStep / kColumns % kRows,
        channel = tap % kStep / kColumns / kRows;
    for (int at = tap % kStep; at < tap; at += kStep) {
      column += kStep % kColumns;
      const bool next_row = column >= kColumns;
      column -= next_row ? kColumns : 0;
      row += kStep / kColumns % kRows + (next_row && row_carry);
      const bool next_channel = row >= kRows;
      row -= next_channel ? kRows : 0;
      channel += kStep / kColumns / kRows + (next_channel && channel_carry);
    }
    return std::array<int, 3>{channel, row, column};
  };
  const auto no_row = [&](int k, int i, int j, int p, int q) {
    const auto [channel, row, column] = walked(k, p, q, false, true);
    return Planes::right_x(0, channel, i + row, j + column);
  };
  CHECK(is_told_of("planes", one, planes.output(no_row, Planes::right_f),
                   "A carry is lost where the place of a tap in x moves on in steps, without a "
                   "division: where q passes its end and begins anew, p must become one more"));
  const auto no_channel = [&](int k, int i, int j, int p, int q) {
    const auto [channel, row, column] = walked(k, p, q, true, false);
    return Planes::right_x(0, channel, i + row, j + column);
  };
  CHECK(is_told_of("planes", one, planes.output(no_channel, Planes::right_f),
                   "A carry is lost where the place of a tap in x moves on in steps, without a "
                   "division: where p passes its end and begins anew, k must become one more"));
}

TEST_CASE("weights that are kept in one order and read in another are named") {
  const Planes planes;
  Case one = planes.made(0);
  one.evidence.on_device = true;
  constexpr int kTaps = Planes::kChannels * Planes::kTapRows * Planes::kTapColumns;
  constexpr int kGroup = 2;
  const auto turned = [](int map, int k, int p, int q, int) {
    const int tap = (k * Planes::kTapRows + p) * Planes::kTapColumns + q;
    return map / kGroup * kGroup * kTaps + tap * kGroup + map % kGroup;
  };
  const auto in_x = [](int k, int i, int j, int p, int q) {
    return Planes::right_x(0, k, i + p, j + q);
  };
  const std::string told = "The copy of f that the program keeps is stored in one order";
  CHECK(is_told_of("planes", one, planes.output(in_x, turned), told));
  one.evidence.on_device = false;
  CHECK_FALSE(is_told_of("planes", one, planes.output(in_x, turned), told));
}

TEST_CASE("one element for a whole group is named") {
  const char* text = "y[map<m, i<3] = x[map:m, i:3] + b[map:m]";
  static const Alone alone("grouped", text);
  const std::vector<float> x = drawn(21), b = drawn(7);
  Case one(text, {}, {{"x", x}, {"b", b}}, {7, 3});
  std::vector<double> output;
  for (size_t at = 0; at < 21; ++at) output.push_back(double(x[at]) + double(b[at / 3 / 4 * 4]));
  CHECK(is_told_of("grouped", one, output,
                   "b is read at the first map of each group of 4, for every map of the group"));
}

TEST_CASE("a count of rows times rows is named") {
  const char* text =
      "m[i<o, j<o] = (sum(p<kh, q<kw) x[i - 1 + p ? h, j - 1 + q ? w]) / "
      "count(p<kh, q<kw) x[i - 1 + p ? h, j - 1 + q ? w]";
  static const Alone alone("means", text);
  constexpr int kSide = 5, kRows = 3, kColumns = 2;
  const std::vector<float> x = drawn(kSide * kSide);
  Case one(text, {{"h", kSide}, {"w", kSide}, {"kh", kRows}, {"kw", kColumns}}, {{"x", x}},
           {kSide, kSide});
  std::vector<double> output;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      double sum = 0;
      const int rows = std::min(i + 2, kSide) - std::max(i - 1, 0);
      for (int r = std::max(i - 1, 0); r < std::min(i + 2, kSide); ++r) {
        for (int c = std::max(j - 1, 0); c < std::min(j + 1, kSide); ++c) {
          sum += double(x[size_t(r * kSide + c)]);
        }
      }
      output.push_back(sum / (rows * rows));
    }
  }
  CHECK(is_told_of("means", one, output, "The elements that count along p (the kernel row) are"));
}

TEST_CASE("a result that nobody stored is not one that was read outside of a tensor") {
  const char* text = "y[n<images, i<4] = x[n:images, i:4]";
  static const Alone alone("copied", text);
  Case one(text, {}, {{"x", drawn(8)}}, {2, 4});
  std::vector<double> output;
  for (size_t i = 4; i < 8; ++i) output.push_back(double(drawn(8)[i]));
  output.resize(8, predicted_unwritten());
  const std::string all_in_one = "The index below images is missing in the index of y";
  CHECK(is_told_of("copied", one, output, all_in_one));
  CHECK_FALSE(is_told_of("copied", one, output, "n is one too large"));
}

TEST_CASE("a part that begins at its number, not at its elements, is named") {
  constexpr int kMaps = 7, kLong = 5, kPart = 3;
  const char* text = "y[map<m, i<2] = sum(k<c) f[map:m, k:c] * x[i:2, k:c]";
  static const Alone alone("part", text);
  const std::vector<float> f = drawn(kMaps * kLong), x = {1, -2, 3, 5, 7, 2, 4, -6, 8, 1};
  Case one(text, {{"c", kLong}}, {{"f", f}, {"x", x}}, {kMaps, 2});
  std::vector<double> output;
  for (int map = 0; map < kMaps; ++map) {
    // The second part is wrong; a third one would begin at 6.
    const int first = map / kPart * kPart;
    for (int i = 0; i < 2; ++i) {
      double sum = 0;
      for (int k = 0; k < kLong; ++k) {
        sum +=
            double(f[size_t(first + (map - first) * kLong + k)]) * double(x[size_t(i * kLong + k)]);
      }
      output.push_back(sum);
    }
  }
  CHECK(is_told_of("part", one, output,
                   "The part of f from feature map 3 on is taken from 3 elements behind the first "
                   "one instead of `3 * c`"));
}

TEST_CASE("channels that a loop takes in parts, with a wrong beginning, are named") {
  const char* text = "z[map<m] = sum(k<c, q<kw) x[k:c, q:kw] * f[map:m, k:c, q:kw]";
  static const Alone alone("chunks", text);
  constexpr int kMaps = 5, kChannels = 7, kColumns = 3, kPart = 4;
  const std::vector<float> x = drawn(kChannels * kColumns), f = drawn(kMaps * kChannels * kColumns);
  Case one(text, {{"c", kChannels}, {"kw", kColumns}}, {{"x", x}, {"f", f}}, {kMaps});
  // Where the part that begins with channel `first` begins in a filter.
  const auto output = [&](auto begin_of) {
    std::vector<double> all;
    for (int map = 0; map < kMaps; ++map) {
      double sum = 0;
      for (int k = 0; k < kChannels; ++k) {
        const int first = k / kPart * kPart;
        for (int q = 0; q < kColumns; ++q) {
          const int place = begin_of(first) + (k - first) * kColumns + q;
          sum += double(x[size_t(k * kColumns + q)]) *
                 double(f[size_t(map * kChannels * kColumns + place)]);
        }
      }
      all.push_back(sum);
    }
    return all;
  };
  CHECK(is_told_of("chunks", one, output([](int first) { return first; }),
                   "The part of f from channel 4 on is taken from 4 elements behind the first one "
                   "instead of `4 * kw`"));
  CHECK(is_told_of("chunks", one, output([](int) { return 0; }),
                   "f is read at a k that is counted from the beginning of a part (the first part "
                   "has 4), not from 0"));
}

TEST_CASE("the wrong remainder, and the frame of the forward pass, are named on the way back") {
  constexpr int kSize = 14, kTapRows = 3, kPad = 2, kStride = 3;
  const char* text =
      "dx[r<h] = sum(p<kh) dy[exact(r + pad_h - p*dilation_h, stride_h) ? oh] * f[p:kh]"
      "; oh = (h + 2*pad_h - dilation_h*(kh - 1) - 1)//stride_h + 1";
  static const Alone alone("back", text);
  const std::vector<float> dy = drawn(24), f = {2, -3, 5};
  const auto made = [&](int stride) {
    return Case(text, {{"kh", kTapRows}, {"pad_h", kPad}, {"dilation_h", 1}, {"stride_h", stride}},
                {{"dy", dy}, {"f", f}}, {kSize});
  };
  // Of what the remainder is taken, and where the window begins.
  const auto output = [&](int stride, auto tested, auto start) {
    const int outputs = (kSize + 2 * kPad - kTapRows) / stride + 1;
    std::vector<double> all;
    for (int r = 0; r < kSize; ++r) {
      double sum = 0;
      for (int p = 0; p < kTapRows; ++p) {
        const int from = start(r, p);
        if (from < 0 || tested(r, p) % stride != 0 || from / stride >= outputs) continue;
        sum += double(dy[size_t(from / stride)]) * double(f[size_t(p)]);
      }
      all.push_back(sum);
    }
    return all;
  };
  const auto right = [](int r, int p) { return r + kPad - p; };
  Case strided = made(kStride);
  CHECK(is_told_of("back", strided,
                   output(
                       kStride, [](int r, int) { return r; }, right),
                   "Whether the division by stride_h leaves a remainder is tested with `r` instead "
                   "of `r + pad_h - p * dilation_h`."));
  CHECK(is_told_of("back", strided,
                   output(
                       kStride, [](int r, int p) { return r - p; }, right),
                   "Whether the division by stride_h leaves a remainder is tested with `r - p * "
                   "dilation_h` instead"));
  const std::vector<float> g = {2, -3, 5, 7, -1, 4};
  Case ending(text, {{"kh", 6}, {"pad_h", 0}, {"dilation_h", 1}, {"stride_h", 2}},
              {{"dy", drawn(6)}, {"f", g}}, {16});
  const auto that_ends = [&](bool at_remainder) {
    std::vector<double> all;
    for (int r = 0; r < 16; ++r) {
      double sum = 0;
      for (int p = 0; p < 6; ++p) {
        const bool has_rest = (r - p) % 2 != 0;
        if (r < p || (r - p) / 2 >= 6 || (has_rest && at_remainder)) break;
        if (!has_rest) sum += double(drawn(6)[size_t((r - p) / 2)]) * double(g[size_t(p)]);
      }
      all.push_back(sum);
    }
    return all;
  };
  CHECK(is_told_of("back", ending, that_ends(false),
                   "The loop over p (the kernel row) ends at the first place outside of dy (in the "
                   "padding): "));
  CHECK(is_told_of("back", ending, that_ends(true),
                   "The loop over p (the kernel row) ends at the first place outside of dy (in the "
                   "padding, or where the division leaves a remainder): "));
  constexpr const char* kForward = "The frame of zeros is that of the other direction";
  Case plain = made(1);
  const auto forward = [](int r, int p) { return r - p + (kTapRows - 1) - kPad; };
  CHECK_FALSE(is_told_of("back", plain, output(1, right, right), kForward));
  CHECK(kTapRows - 1 - kPad != kPad);
  CHECK(is_told_of("back", plain, output(1, right, forward), kForward));
}

TEST_CASE("the reach of a dilated kernel that is computed as another sum is named") {
  const char* text = "z[i<size] = x[i:size] + 3 * (h - dilation_h*(kh - 1) - 1)";
  static const Alone alone("reach", text);
  const std::vector<float> x = drawn(8);
  Case one(text, {{"h", 20}, {"kh", 4}, {"dilation_h", 3}}, {{"x", x}}, {8});
  std::vector<double> sum, product;
  for (const float value : x) {
    sum.push_back(double(value) + 3 * (20 - (4 + 3 - 1)));
    product.push_back(double(value) + 3 * (20 - 4 * 3));
  }
  CHECK(is_told_of("reach", one, sum,
                   "What a kernel with dilation_h reaches over is computed as `kh + dilation_h - "
                   "1` instead of `dilation_h * (kh - 1) + 1`."));
  CHECK(is_told_of("reach", one, product,
                   "What a kernel with dilation_h reaches over is computed as `kh * dilation_h`"));
}

TEST_CASE("a factor that only the first part of a difference has is named") {
  const char* text = "z[i<size] = (b[i:size] - g[i:size]) * (s[i:size] / 2)";
  static const Alone alone("scaled", text);
  const std::vector<float> b = drawn(6), g = {1, -2, 4, 7, 3, -5}, s = {3, 5, -1, 4, 9, 2};
  Case one(text, {}, {{"b", b}, {"g", g}, {"s", s}}, {6});
  std::vector<double> output;
  for (size_t i = 0; i < 6; ++i) {
    output.push_back(double(b[i]) * double(s[i]) / 2 - double(g[i]));
  }
  CHECK(is_told_of("scaled", one, output,
                   "g[i] lacks the factor (or divisor) `s[i] / 2`, which b[i] alone has: "));
}

TEST_CASE("parts of a long sum that are missing or overlap are named") {
  constexpr int kImages = 30, kLong = 7, kMaps = 6, kTerms = kImages * kLong;
  const char* text = "d[k<maps] = sum(a<n, j<long) x[a:n, j:long] * f[k:maps, j:long] + b[k:maps]";
  static const Alone alone("long", text);
  const std::vector<float> x = drawn(kTerms), f = drawn(kMaps * kLong + 3), b = drawn(kMaps);
  Case one(text, {{"n", kImages}, {"long", kLong}},
           {{"x", x}, {"f", {f.begin() + 3, f.end()}}, {"b", b}}, {kMaps});
  // How often each term is added.
  const auto output = [&](auto times) {
    std::vector<double> all;
    for (int k = 0; k < kMaps; ++k) {
      double sum = double(b[size_t(k)]);
      for (int t = 0; t < kTerms; ++t) {
        const double term = double(x[size_t(t)]) * double(f[size_t(k * kLong + t % kLong + 3)]);
        sum += times(t) * term;
      }
      all.push_back(sum);
    }
    return all;
  };
  CHECK(is_told_of("long", one, output([](int t) { return t < 204; }),
                   "The last 6 of the 210 terms of each sum are missing (over a, j)."));
  CHECK(is_told_of("long", one, output([](int t) { return t < 50; }),
                   "Only the first 50 of the 210 terms of each sum count"));
  CHECK(is_told_of("long", one, output([](int t) { return t >= 150; }),
                   "Only the last 60 of the 210 terms of each sum count"));
  CHECK(is_told_of("long", one, output([](int t) { return t < 32   ? 1
                                                          : t < 64 ? 2
                                                                   : 3; }),
                   "Terms of the sum are added more than once: behind the first 32 of them"));
  CHECK(is_told_of("long", one, output([](int t) { return t / 32 % 3 == 2; }),
                   "Of the 3 parts of each sum only the last one is added"));
  CHECK(is_told_of("long", one, output([](int t) { return t / 32 % 5 != 4; }),
                   "Of the 5 parts of each sum (the terms of a part are 32 of every 160) part 4 is "
                   "missing, counted from 0. It is what is left over where the number"));
  CHECK(is_told_of("long", one, output([](int t) { return t / 32 % 4 != 1; }),
                   "Of the 4 parts of each sum (the terms of a part are 32 of every 128) part 1, "
                   "counted from 0, is missing."));
  CHECK(is_told_of("long", one, output([](int t) { return t / 32 % 4 == 2 ? 2 : 1; }),
                   "Of the 4 parts of each sum (the terms of a part are 32 of every 128) part 2, "
                   "counted from 0, is added twice."));
  CHECK(is_told_of("long", one, output([](int t) { return t / kLong == 11 ? 0 : 1; }),
                   "The terms with a = 11 are missing in each sum."));
  // Of whole passes of a loop, the loop says more.
  CHECK(is_told_of("long", one, output([](int t) { return t < 29 * kLong; }),
                   "The loop over a (the image) has the wrong end, one too small"));
  CHECK_FALSE(is_told_of("long", one, output([](int t) { return t < 29 * kLong; }), "The last"));
  // What no number of terms gives is not told so.
  for (const char* wrong : {"The last", "Only the", "Terms of the sum", "Of the"}) {
    CHECK_FALSE(is_told_of("long", one, output([](int t) { return t % 5 == 0 ? 0.9 : 1; }), wrong));
  }
}

// SPDX-License-Identifier: MIT
// Mistakes in windows, steps and what is used in several places: programs are written by hand here,
// and must be named.
#include <algorithm>
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

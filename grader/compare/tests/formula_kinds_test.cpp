// SPDX-License-Identifier: MIT
// Kinds of mistakes in a formula: programs are written by hand here, and must be named.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "compare/tests/formula_case.h"

using namespace convkit;
using namespace convkit::formula_tests;

namespace {

constexpr const char* kMoves = "y[i<size] = sum(p<k) x[i*stride - pad + p ? size] * w[p:k]";
constexpr const char* kGrid = "g[i<rows, j<cols] = 2 * a[i:rows, j:cols]";
constexpr const char* kPlanes = "z[k<c, i<h] = x[k:c, i:h] + b[k:c]";
constexpr const char* kSums = "s[i<n] = sum(k<c) x[i:n, k:c] * w[k:c]";
constexpr const char* kWindows = "u[i<oh] = sum(p<kh) x[i*stride_h - pad_h + p ? h] * f[p:kh]";
constexpr const char* kStep =
    "w[i<size] = w0[i:size] - lr * v; v = mu * v0[i:size] + g[i:size]; v_before = v0[i:size]";
constexpr const char* kRates = "r[epoch<epochs] = lr * pow(factor, epoch // every)";
constexpr const char* kShares =
    "p[i<n, j<k] = exp(x[i:n, j:k] - top) / sum(o<k) exp(x[i:n, o:k] - "
    "top); top = max(o<k) x[i:n, o:k]";

const OperationFormula kMade[] = {
    {"made", kMoves, ""},   {"made", kGrid, ""}, {"made", kPlanes, ""}, {"made", kSums, ""},
    {"made", kWindows, ""}, {"made", kStep, ""}, {"made", kRates, ""},  {"made", kShares, ""}};
const RegisterFormulas kRegistered(kMade);

constexpr double kUnwritten = -1e9;  // in the outputs below

// Whether a program with this output is told a sentence that begins so.
bool is_told(Case& one, std::vector<double> output, const std::string& begin) {
  for (double& value : output) value = value == kUnwritten ? predicted_unwritten() : value;
  for (const std::string& sentence : one.told(output)) {
    if (sentence.starts_with(begin)) return true;
    UNSCOPED_INFO(sentence);
  }
  return false;
}

Case moves() {
  return Case(kMoves, {{"k", 3}, {"pad", 1}, {"stride", 1}, {"size", 12}},
              {{"x", drawn(12)}, {"w", {2, -3, 5}}}, {12});
}
Case grid(int rows, int cols) {
  return Case(kGrid, {}, {{"a", drawn(size_t(rows * cols))}}, {rows, cols});
}

// 2 a where it is stored.
template <class Stored>
std::vector<double> stored_where(int rows, int cols, Stored stored) {
  const std::vector<float> a = drawn(size_t(rows * cols));
  std::vector<double> output;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      output.push_back(stored(i, j) ? 2 * double(a[size_t(i * cols + j)]) : kUnwritten);
    }
  }
  return output;
}

}  // namespace

TEST_CASE("a test at one side only is named") {
  // Rows of 4; element -1 of a row is the last of the row before.
  constexpr const char* kRows = "r[i<size, j<wide] = sum(q<3) x[i:size, j - 1 + q ? wide]";
  static const OperationFormula kOne[] = {{"rows", kRows, ""}};
  static const RegisterFormulas registered(kOne);
  Case rows(kRows, {}, {{"x", drawn(20)}}, {5, 4});
  rows.evidence.op = "rows";
  const std::vector<float> x = drawn(20);
  std::vector<double> below, above;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) {
      double without_below = 0, without_above = 0;
      for (int q = 0; q < 3; ++q) {
        const int column = j - 1 + q, place = i * 4 + column;
        const double value = place >= 0 && place < 20 ? double(x[size_t(place)]) : 0;
        if (column < 4) without_below += value;
        if (column >= 0) without_above += value;
      }
      below.push_back(without_below);
      above.push_back(without_above);
    }
  }
  CHECK(is_told(rows, below, "Nothing tests whether the index below wide of x is below 0"));
  CHECK(is_told(rows, above, "Only whether the index below wide of x is below 0 is tested"));
}

TEST_CASE("half of the kernel for the padding is named") {
  const std::vector<float> x = drawn(12), f = {2, -3, 5, 7};
  Case one(kWindows, {{"kh", 4}, {"pad_h", 1}, {"stride_h", 1}, {"h", 12}}, {{"x", x}, {"f", f}},
           {11});
  std::vector<double> output;
  for (int i = 0; i < 11; ++i) {
    double sum = 0;
    for (int p = 0; p < 4; ++p) {
      const int at = i - 2 + p;
      if (at >= 0 && at < 12) sum += double(x[size_t(at)]) * double(f[size_t(p)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(one, output, "Half of kh stands where pad_h belongs"));
}

TEST_CASE("a value of the step before, which no program uses, is named") {
  const std::vector<float> w = drawn(20), v = drawn(21), g = drawn(22);
  const std::vector<float> velocity(v.begin(), v.begin() + 20), gradient(g.begin() + 2, g.end());
  Case one(kStep, {{"size", 20}, {"lr", 0.5}, {"mu", 0.75}},
           {{"w0", w}, {"v0", velocity}, {"g", gradient}}, {20});
  std::vector<double> output;
  for (size_t i = 0; i < 20; ++i) output.push_back(double(w[i]) - 0.5 * double(velocity[i]));
  CHECK(is_told(one, output, "v_before stands where v belongs"));
}

TEST_CASE("a count from 1 is named") {
  Case one(kRates, {{"epochs", 12}, {"lr", 0.5}, {"factor", 0.25}, {"every", 3}}, {}, {12});
  std::vector<double> output;
  for (int epoch = 0; epoch < 12; ++epoch) output.push_back(0.5 * std::pow(0.25, (epoch + 1) / 3));
  CHECK(is_told(one, output, "epoch is one too large"));
}

TEST_CASE("a grid whose two sizes are exchanged, and one of blocks of another axis, are named") {
  Case wide = grid(12, 40);
  // Blocks of 4 rows and 8 columns; as many along the rows as the columns need.
  CHECK(is_told(wide, stored_where(12, 40, [](int, int j) { return j < 3 * 8; }),
                "The two sizes of the grid are exchanged"));
  Case tall = grid(40, 12);
  CHECK(is_told(tall, stored_where(40, 12, [](int i, int) { return i < 16; }),
                "Along i, there are only as many blocks of 8 as j needs"));
  CHECK(is_told(tall, stored_where(40, 12, [](int i, int) { return i < 12; }),
                "Along i, only as many outputs are computed as there are along j"));
}

TEST_CASE("a number of elements for a number of bytes is named") {
  Case one = grid(4, 10);
  CHECK(is_told(one, stored_where(4, 10, [](int i, int j) { return i * 10 + j < 10; }),
                "Only the first quarter of g arrives"));
}

TEST_CASE("what memory of the device holds before it is written counts as not written") {
  Case one = grid(12, 40);
  std::vector<double> output = stored_where(12, 40, [](int, int j) { return j < 32; });
  const uint32_t fresh = 0xffffffffu;
  float value;
  std::memcpy(&value, &fresh, sizeof value);
  for (double& y : output) {
    if (y == kUnwritten) y = double(value);
  }
  CHECK(is_told(one, output, "Only whole groups are computed along j"));
}

TEST_CASE("results of all planes in one place, and a factor that an index lacks, are named") {
  Case one(kPlanes, {}, {{"x", drawn(20)}, {"b", drawn(4)}}, {4, 5});
  const std::vector<float> x = drawn(20), b = drawn(4);
  std::vector<double> over_one_another(20, kUnwritten), lacking;
  for (int i = 0; i < 5; ++i) {
    over_one_another[size_t(i)] = double(x[size_t(15 + i)]) + double(b[3]);
  }
  CHECK(is_told(one, over_one_another, "The channel is missing in the index of z"));
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 5; ++i) lacking.push_back(double(x[size_t(k + i)]) + double(b[size_t(k)]));
  }
  CHECK(is_told(one, lacking, "The factor h is missing where the index of x is computed"));
}

TEST_CASE("an index that is counted from the beginning of a part is named") {
  Case one(kPlanes, {}, {{"x", drawn(40)}, {"b", drawn(8)}}, {8, 5});
  const std::vector<float> x = drawn(40), b = drawn(8);
  std::vector<double> output;
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 5; ++i) {
      output.push_back(double(x[size_t(k * 5 + i)]) + double(b[size_t(k % 3)]));
    }
  }
  CHECK(is_told(one, output, "b is read at a k that is counted from the beginning of a part"));
}

TEST_CASE("the old products in a tile that is not full are named") {
  Case one(kSums, {}, {{"x", drawn(60)}, {"w", drawn(6)}}, {10});
  one.evidence.params["c"] = 6;
  const std::vector<float> x = drawn(60), w = drawn(6);
  std::vector<double> output;
  for (int i = 0; i < 10; ++i) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
      const int kept = k < 6 ? k : k - 4;
      sum += double(x[size_t(i * 6 + kept)]) * double(w[size_t(kept)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(one, output, "In the last tile, which is not full, terms of the tile before"));
}

TEST_CASE("a stride that the first of a tile, or the place in it, lacks is named") {
  // The length of y is not that of x.
  constexpr const char* kStrided = "y[i<o] = sum(p<k) x[i*stride - pad + p ? n] * w[p:k]";
  static const OperationFormula kOne[] = {{"strided", kStrided, ""}};
  static const RegisterFormulas registered(kOne);
  Case strided(kStrided, {{"k", 2}, {"pad", 0}, {"stride", 2}, {"n", 30}},
               {{"x", drawn(30)}, {"w", {2, -3}}}, {12});
  strided.evidence.op = "strided";
  const std::vector<float> x = drawn(30);
  const auto at = [&](int first) {
    return 2 * double(x[size_t(first)]) - 3 * double(x[size_t(first + 1)]);
  };
  std::vector<double> of_first, within;
  for (int i = 0; i < 12; ++i) {
    of_first.push_back(at(i / 4 * 4 + i % 4 * 2));
    within.push_back(at(i / 4 * 4 * 2 + i % 4));
  }
  CHECK(is_told(strided, of_first, "The first i of a tile (or of a block) is not multiplied"));
  CHECK(is_told(strided, within, "The place of i within its tile (or block) is not multiplied"));
}

TEST_CASE("results of a thread that are stored as neighbours are named") {
  Case one = grid(3, 24);
  const std::vector<float> a = drawn(72);
  std::vector<double> output;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 24; ++j) {
      const int place = j % 8, from = j - place + place % 2 * 4 + place / 2;
      output.push_back(2 * double(a[size_t(i * 24 + from)]));
    }
  }
  CHECK(is_told(one, output,
                "The results of a thread are stored in the wrong places along j: it computes 4 "
                "neighbours and stores them 2 apart (or it computes 2 that lie 4 apart"));
}

TEST_CASE("exp that overflows and underflows as a float is what a program computes") {
  const std::vector<float> x = {0, 1, 2, -300, -299, -298, -400, -399, -398, 4, 5, 6};
  Case one(kShares, {}, {{"x", x}}, {4, 3});
  std::vector<double> output;
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int j = 0; j < 3; ++j) sum += std::exp(x[size_t(i * 3 + j)] - 6);
    for (int j = 0; j < 3; ++j) output.push_back(double(std::exp(x[size_t(i * 3 + j)] - 6) / sum));
  }
  CHECK(std::isnan(output[3]));
  CHECK(is_told(one, output, "The maximum goes over all i, too"));
}

namespace {

constexpr const char* kMoved = "mean[k<c] = (1 - momentum) * mean0[k:c] + momentum * new_mean[k:c]";
constexpr const char* kMovedToo = "variance[k<c] = mean0[k:c] * new_mean[k:c]";
constexpr const char* kKept = "y[i<n] = x[i:n] / (1 - probability)";
const OperationFormula kComplements[] = {
    {"made", kMoved, "Move."}, {"made", kMovedToo, "Product."}, {"made", kKept, "Keep."}};
const RegisterFormulas kComplementsRegistered(kComplements);

}  // namespace

TEST_CASE("a sum that is used before it is complete is named") {
  const std::vector<float> x = {1, 0.5, -1, 0.25, 2, -0.5, 0.75, 3, 1.5, -2, 0.5, 1};
  Case shares(kShares, {}, {{"x", x}}, {3, 4});
  std::vector<double> up_to_itself;
  for (int i = 0; i < 3; ++i) {
    const float* row = x.data() + i * 4;
    const double top = double(*std::max_element(row, row + 4));
    double sum = 0;
    for (int j = 0; j < 4; ++j) {
      sum += std::exp(double(row[j]) - top);
      up_to_itself.push_back(std::exp(double(row[j]) - top) / sum);
    }
  }
  CHECK(is_told(shares, up_to_itself,
                "The sum is used before it is complete: each j has that of the elements up to "
                "itself"));
}

TEST_CASE("a divisor that counts the padding at one side is told as a divisor") {
  constexpr const char* kAverages =
      "a[k<c, i<oh] = (sum(p<kh) x[k:c, i*stride_h - pad_h + p ? h]) / "
      "count(p<kh) x[k:c, i*stride_h - pad_h + p ? h]";
  static const OperationFormula kOne[] = {{"averages", kAverages, ""}};
  static const RegisterFormulas registered(kOne);
  const std::vector<float> x = drawn(18);
  // Windows -2..1, -1..2, ... and 4..7: two places outside at each end.
  Case averages(kAverages, {{"h", 6}, {"kh", 4}, {"stride_h", 1}, {"pad_h", 2}}, {{"x", x}},
                {3, 7});
  averages.evidence.op = "averages";
  std::vector<double> before, behind;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 7; ++i) {
      double sum = 0;
      const int begin = i - 2, end = begin + 4;
      for (int r = std::max(begin, 0); r < std::min(end, 6); ++r) sum += double(x[k * 6 + r]);
      before.push_back(sum / (std::min(end, 6) - begin));
      behind.push_back(sum / (end - std::max(begin, 0)));
    }
  }
  const std::string divisor = "The divisor is wrong, the sum is right: in the number of elements";
  CHECK(is_told(averages, before,
                divisor + " the row in the padding before the beginning of x counts"));
  CHECK(is_told(averages, behind, divisor + " the row in the padding behind the end of x counts"));
  for (const std::string& sentence : averages.told(before)) {
    CHECK(sentence.find("Nothing tests") == std::string::npos);
    CHECK(sentence.find("is raised to 0") == std::string::npos);
  }
}

TEST_CASE("a window before the first one, and one behind the last, are named") {
  constexpr const char* kBack =
      "d[r<h] = sum(p<kh) g[exact(r + pad_h - p, stride_h) ? oh]"
      "; oh = (h + 2*pad_h - kh)//stride_h + 1";
  static const OperationFormula kOne[] = {{"back", kBack, ""}};
  static const RegisterFormulas registered(kOne);
  const std::vector<float> g = drawn(6);
  Case back(kBack, {{"kh", 3}, {"stride_h", 2}, {"pad_h", 1}}, {{"g", g}}, {12});
  back.evidence.op = "back";
  std::vector<double> before, behind;
  for (int r = 0; r < 12; ++r) {
    const int first = std::max((r + 1 - 3 + 2) / 2, 0), last = std::min((r + 1) / 2, 5);
    const auto sum = [&](int from, int to) {
      double all = 0;
      for (int i = std::max(from, 0); i <= std::min(to, 5); ++i) all += double(g[size_t(i)]);
      return all;
    };
    before.push_back(sum(r + 1 < 3 ? 0 : first - 1, last));
    behind.push_back(sum(first, (r + 1) / 2 + 1));
  }
  CHECK(is_told(back, before, "The window before the first one that holds the element"));
  CHECK(is_told(back, behind, "The window behind the last one that holds the element"));
}

TEST_CASE("a tensor of which only the first image was copied is named") {
  const std::vector<float> x = drawn(12), b = {0.5, -2, 3};
  Case planes(kPlanes, {}, {{"x", x}, {"b", b}}, {3, 4});
  std::vector<double> output;
  for (size_t k = 0; k < 3; ++k) {
    for (size_t i = 0; i < 4; ++i) {
      output.push_back((k == 0 ? double(x[i]) : 0) + double(b[k]));
    }
  }
  CHECK(is_told(planes, output, "Only channel 0 of x is there"));
}

TEST_CASE("padding that is not stored is named") {
  constexpr const char* kFrame = "f[i<size] = x[i - pad ? h]";
  static const OperationFormula kOne[] = {{"frame", kFrame, ""}};
  static const RegisterFormulas registered(kOne);
  const std::vector<float> x = drawn(6);
  Case frame(kFrame, {{"pad", 2}, {"h", 6}}, {{"x", x}}, {10});
  frame.evidence.op = "frame";
  std::vector<double> output(10, kUnwritten);
  for (size_t i = 0; i < 6; ++i) output[i + 2] = double(x[i]);
  CHECK(is_told(frame, output, "Exactly the elements of f that lie in the padding"));
}

TEST_CASE("a kernel that is computed by code for another size is named, with both sizes") {
  constexpr const char* kConvolution =
      "y[map<m, i<oh, j<ow] = b[map:m] + sum(k<c, p<kh, q<kw) x[k:c, i + p ? h, j + q ? w] * "
      "w[map:m, k:c, p:kh, q:kw]";
  static const OperationFormula kOne[] = {{"convolution", kConvolution, ""}};
  static const RegisterFormulas registered(kOne);
  const std::vector<float> x = drawn(2 * 49), w = drawn(3 * 2 * 25), b = {1, -3, 2};
  Case convolution(kConvolution, {{"c", 2}, {"h", 7}, {"w", 7}, {"kh", 5}, {"kw", 5}},
                   {{"x", x}, {"w", w}, {"b", b}}, {3, 3, 3});
  convolution.evidence.op = "convolution";
  // step: from one channel's weights to the next
  const auto computed_as = [&](size_t size, size_t step) {
    std::vector<double> y;
    for (size_t at = 0; at < 27; ++at) {
      const size_t map = at / 9, i = at / 3 % 3, j = at % 3;
      double sum = double(b[map]);
      for (size_t k = 0; k < 2; ++k) {
        for (size_t p = 0; p < size; ++p) {
          for (size_t q = 0; q < size; ++q) {
            sum += double(x[(k * 7 + i + p) * 7 + j + q]) *
                   double(w[(map * 2 + k) * step + p * size + q]);
          }
        }
      }
      y.push_back(sum);
    }
    return y;
  };
  CHECK(is_told(convolution, computed_as(3, 9), "A kernel of 5 x 5 is computed by code for 3 x 3"));
  CHECK(
      is_told(convolution, computed_as(3, 25), "A kernel of 5 x 5 is computed by code for 3 x 3"));
  CHECK_FALSE(is_told(convolution, convolution.values(), "A kernel of 5 x 5 is computed"));
}

TEST_CASE("a share and the rest of it, exchanged or one alone, are named") {
  const std::vector<float> before = {1, -2, 3, 5, -4}, now = {7, 3, -5, 2, 9};
  Case moved(kMoved, {{"momentum", 0.25}}, {{"mean0", before}, {"new_mean", now}}, {5});
  std::vector<double> output;
  for (size_t k = 0; k < 5; ++k) output.push_back(0.25 * double(before[k]) + 0.75 * double(now[k]));
  CHECK(is_told(moved, output, "momentum and 1 - momentum are exchanged"));

  Case kept(kKept, {{"probability", 0.25}}, {{"x", before}}, {5});
  output.clear();
  for (const float x : before) output.push_back(double(x) / 0.25);
  CHECK(is_told(kept, output, "probability stands where 1 - probability belongs"));
}

TEST_CASE("a result in the place of another of its size is named") {
  const std::vector<float> before = {1, -2, 3, 5, -4}, now = {7, 3, -5, 2, 9};
  Case moved(kMoved, {{"momentum", 0.25}}, {{"mean0", before}, {"new_mean", now}}, {5});
  std::vector<double> output;
  for (size_t k = 0; k < 5; ++k) output.push_back(double(before[k]) * double(now[k]));
  CHECK(is_told(moved, output, "`mean` holds what belongs in `variance`"));
}

TEST_CASE("another result in the place of a factor is named") {
  static const OperationFormula formulas[] = {
      {"scaled_rows", "big[k<m, i<taps] = v[k:m, i:taps] * (s[k:m] + 1)", "hint"},
      {"scaled_rows", "small[k<m] = s[k:m] * s[k:m] - t[k:m]", "hint"},
      {"scaled_rows", "other[i<taps, j<m] = v[j:m, i:taps]", "hint"}};
  static const RegisterFormulas registered(formulas);
  const std::vector<float> v = drawn(12), s = {3, -2, 5}, t = {0.5f, 7, -4};
  Case scaled(formulas[0].text, {{"m", 3}, {"taps", 4}}, {{"v", v}, {"s", s}, {"t", t}}, {3, 4});
  scaled.evidence.op = "scaled_rows";
  std::vector<double> output;
  for (size_t i = 0; i < 12; ++i) {
    const double of_row = double(s[i / 4]) * double(s[i / 4]) - double(t[i / 4]);
    output.push_back(double(v[i]) * of_row);
  }
  CHECK(is_told(scaled, output, "`small` is the factor where `s[k] + 1` belongs"));
  output[7] += 1;
  CHECK_FALSE(is_told(scaled, output, "is the factor where"));
}

TEST_CASE("edits of an index are held against an access outside of a tensor") {
  Case one = moves();
  one.evidence.reference.f64 = {};
  const std::vector<double> reference = one.values();
  const std::vector<double> magnitude(reference.size(), 100);
  one.evidence.reference.f64 = reference;
  one.evidence.magnitude = magnitude;
  one.evidence.tolerance.terms = 10;
  const auto guessed = [&](BadAccess access, const std::string& begin) {
    for (const Guess& guess : guesses_of_access(one.evidence, access)) {
      CHECK(guess.needs_support);
      if (guess.sentence.starts_with(begin)) return true;
    }
    return false;
  };
  using Access = BadAccess::Kind;
  const std::string untested = "Nothing tests whether the index below size lies inside x";
  CHECK(guessed({Access::reads, 12, -1}, untested));
  CHECK(guessed({Access::reads, 12, 12}, untested));
  CHECK_FALSE(guessed({Access::reads, 12, 13}, untested));
  CHECK_FALSE(guessed({Access::reads, 11, -1}, untested));
  const std::string unguarded = "Nothing stops the threads beyond the last i";
  CHECK(guessed({Access::writes, 12, 12}, unguarded));
  CHECK_FALSE(guessed({Access::writes, 12, 70}, unguarded));
  CHECK_FALSE(guessed({Access::writes_twice, 12, 3}, unguarded));
}

TEST_CASE("threads beyond the end of a row, which write into the next, write an element twice") {
  Case one = grid(4, 6);
  const std::vector<double> reference = one.values();
  const std::vector<double> magnitude(reference.size(), 100);
  one.evidence.reference.f64 = reference;
  one.evidence.magnitude = magnitude;
  one.evidence.tolerance.terms = 10;
  bool is_guessed = false;
  for (const Guess& guess :
       guesses_of_access(one.evidence, {BadAccess::Kind::writes_twice, 24, 6})) {
    is_guessed =
        is_guessed || guess.sentence.starts_with("Nothing stops the threads beyond the last j");
  }
  CHECK(is_guessed);
}

namespace {

constexpr const char* kConvolution =
    "v[map<m, i<oh] = b[map:m] + sum(k<c, p<kh, q<kw) x[k:c, i*stride_h - pad_h + p*dilation_h ? "
    "h, "
    "q - pad_w ? w] * f[map:m, k:c, p:kh, q:kw]";
const std::map<std::string, double> kConvolutionSizes = {
    {"m", 4}, {"oh", 3},    {"c", 2},     {"kh", 3},         {"kw", 2},      {"h", 7},
    {"w", 3}, {"pad_h", 1}, {"pad_w", 1}, {"dilation_h", 2}, {"stride_h", 2}};
const std::map<std::string, std::vector<float>> kConvolutionInputs = {
    {"b", {3, -5, 2, 7}}, {"x", drawn(42)}, {"f", drawn(48)}};

// A convolution whose row and column of x, filter and taps are what `term` makes of them.
struct Tap {
  int map, i, k, p, q;
};
template <class Term>
std::vector<double> convolved(const Term& term) {
  std::vector<double> output;
  for (int map = 0; map < 4; ++map) {
    for (int i = 0; i < 3; ++i) {
      double sum = double(kConvolutionInputs.at("b")[size_t(map)]);
      for (int k = 0; k < 2; ++k) {
        for (int p = 0; p < 3; ++p) {
          for (int q = 0; q < 2; ++q) sum += term(Tap{map, i, k, p, q});
        }
      }
      output.push_back(sum);
    }
  }
  return output;
}
double x_at(int k, int row, int column) {
  return double(kConvolutionInputs.at("x").at(size_t((k * 7 + row) * 3 + column)));
}
double f_at(int map, int tap) {
  return double(kConvolutionInputs.at("f").at(size_t(map * 12 + tap)));
}
bool is_inside(int row, int column) {
  return row >= 0 && row < 7 && column >= 0 && column < 3;
}
int row_of(const Tap& t) {
  return t.i * 2 - 1 + t.p * 2;
}
int tap_of(const Tap& t) {
  return (t.k * 3 + t.p) * 2 + t.q;
}

bool is_told_of_convolution(const std::vector<double>& output, const std::string& begin) {
  static const OperationFormula kOne[] = {{"convolution", kConvolution, ""}};
  static const RegisterFormulas registered(kOne);
  Case one(kConvolution, kConvolutionSizes, kConvolutionInputs, {4, 3});
  one.evidence.op = "convolution";
  return is_told(one, output, begin);
}

}  // namespace

TEST_CASE("taps that begin anew in each part of a sum are named") {
  CHECK(is_told_of_convolution(convolved([](const Tap& t) {
                                 return is_inside(row_of(t), t.q - 1)
                                            ? x_at(t.k, row_of(t), t.q - 1) *
                                                  f_at(t.map, tap_of(t) % 8)
                                            : 0;
                               }),
                               "In f the same 8 taps are read for every part of the sum"));
}

TEST_CASE("two filters of each four that are exchanged are named") {
  constexpr int kOrder[] = {0, 1, 3, 2};
  CHECK(is_told_of_convolution(convolved([&](const Tap& t) {
                                 return is_inside(row_of(t), t.q - 1)
                                            ? x_at(t.k, row_of(t), t.q - 1) *
                                                  f_at(kOrder[t.map], tap_of(t))
                                            : 0;
                               }),
                               "Of every 4 feature maps of f, number 2 and number 3"));
}

TEST_CASE("filters of which the first quarter is copied are named") {
  CHECK(is_told_of_convolution(convolved([](const Tap& t) {
                                 const bool arrives = t.map * 12 + tap_of(t) < 12;
                                 return is_inside(row_of(t), t.q - 1) && arrives
                                            ? x_at(t.k, row_of(t), t.q - 1) * f_at(t.map, tap_of(t))
                                            : 0;
                               }),
                               "Only the first quarter of f arrives"));
}

TEST_CASE("padding that is left out only in the corners is named") {
  const auto nearest = [](const Tap& t) {
    const int row = row_of(t), column = t.q - 1;
    const bool row_inside = row >= 0 && row < 7, column_inside = column >= 0 && column < 3;
    if (!row_inside && !column_inside) return 0.0;
    return x_at(t.k, std::clamp(row, 0, 6), std::clamp(column, 0, 2)) * f_at(t.map, tap_of(t));
  };
  CHECK(is_told_of_convolution(convolved(nearest),
                               "What lies outside of x is left out only where row and column both "
                               "lie outside: one of them is enough (|| where && belongs, or the "
                               "other way round), and else the nearest element"));
}

TEST_CASE("a tap that is taken apart by the stride before its dilation is named") {
  CHECK(is_told_of_convolution(convolved([](const Tap& t) {
                                 const int row = t.i * 2 - 1 + t.p % 2 + t.p / 2 * 2 * 2;
                                 return is_inside(row, t.q - 1)
                                            ? x_at(t.k, row, t.q - 1) * f_at(t.map, tap_of(t))
                                            : 0;
                               }),
                               "`p * dilation_h` is taken apart by stride_h before the dilation"));
}

TEST_CASE("a mean in the place of a sum is named") {
  Case one(kConvolution, kConvolutionSizes, kConvolutionInputs, {4, 3});
  std::vector<double> output;
  for (int map = 0; map < 4; ++map) {
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      int terms = 0;
      for (int tap = 0; tap < 12; ++tap) {
        const Tap t{map, i, tap / 6, tap / 2 % 3, tap % 2};
        if (!is_inside(row_of(t), t.q - 1)) continue;
        sum += x_at(t.k, row_of(t), t.q - 1) * f_at(map, tap);
        ++terms;
      }
      output.push_back(double(kConvolutionInputs.at("b")[size_t(map)]) + sum / terms);
    }
  }
  CHECK(is_told_of_convolution(output, "The sum is divided by the number of its terms"));
}

TEST_CASE("a size that is taken for 1 everywhere is named") {
  Case one(kGrid, {{"rows", 3}, {"cols", 5}}, {{"a", drawn(15)}}, {3, 5});
  std::vector<double> output(15, kUnwritten);
  for (size_t i = 0; i < 3; ++i) output[i] = 2 * double(drawn(15)[i]);
  CHECK(is_told(one, output, "Everything is computed as if cols were 1"));
}

TEST_CASE("a function of half its argument is named") {
  constexpr const char* kSigmoid = "s[i<size] = 1 / (1 + exp(-z[i:size]))";
  static const OperationFormula kOne[] = {{"sigmoid", kSigmoid, ""}};
  static const RegisterFormulas registered(kOne);
  const std::vector<float> z = {0.5f, -1, 2, -3, 4, 1.5f};
  Case one(kSigmoid, {}, {{"z", z}}, {6});
  one.evidence.op = "sigmoid";
  std::vector<double> output;
  for (const float value : z) output.push_back(double(float(1 / (1 + std::exp(-value / 2)))));
  CHECK(is_told(one, output, "The function is computed of z / 2 instead of z"));
}

TEST_CASE("a tap that is found by a division without a test of the remainder is named") {
  constexpr const char* kByTaps =
      "t[r<h] = sum(p<kh) u[p:kh, exact(r - p*dilation_h, stride_h) ? oh]";
  constexpr const char* kByOutputs =
      "t[r<h] = sum(i<oh) u[exact(r - i*stride_h, dilation_h) ? kh, i:oh]";
  static const OperationFormula kBoth[] = {{"rolled", kByTaps, ""},
                                           {"rolled", kByOutputs, "", true}};
  static const RegisterFormulas registered(kBoth);
  Case one(kByTaps, {{"kh", 3}, {"dilation_h", 3}, {"stride_h", 1}, {"oh", 4}}, {{"u", drawn(12)}},
           {10});
  one.evidence.op = "rolled";
  const std::vector<float> u = drawn(12);
  std::vector<double> output;
  for (int r = 0; r < 10; ++r) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      const int tap = int(std::floor((r - i) / 3.0));
      if (tap >= 0 && tap < 3) sum += double(u[size_t(tap * 4 + i)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(one, output,
                "Nothing tests whether `r - i * stride_h` is a multiple of dilation_h: where a "
                "remainder is left, no tap belongs to the element"));
}

TEST_CASE("rows behind the last whole six are named") {
  Case one = grid(8, 5);
  CHECK(is_told(one, stored_where(8, 5, [](int i, int) { return i < 6; }),
                "Only whole groups are computed along i (of 3, or of a multiple of it)"));
}

TEST_CASE("a sum that is not rescaled when its maximum grows is named") {
  const std::vector<float> x = {0.5f, 2, 1, 3, -1, 0, 1, -2, 4, 2};
  Case one(kShares, {}, {{"x", x}}, {2, 5});
  std::vector<double> output;
  for (size_t i = 0; i < 2; ++i) {
    double sum = 0, top = -INFINITY;
    for (size_t j = 0; j < 5; ++j) {
      top = std::max(top, double(x[i * 5 + j]));
      sum += std::exp(double(x[i * 5 + j]) - top);
    }
    for (size_t j = 0; j < 5; ++j) {
      output.push_back(double(float(std::exp(double(x[i * 5 + j]) - top) / sum)));
    }
  }
  CHECK(is_told(one, output, "In the sum top is only the maximum of the elements so far"));
}

TEST_CASE("a sum that is rescaled the wrong way when its maximum grows is named") {
  const std::vector<float> x = {0.5f, 2, 1, 3, -1, 0, 1, -2, 4, 2};
  Case one(kShares, {}, {{"x", x}}, {2, 5});
  std::vector<double> output;
  for (size_t i = 0; i < 2; ++i) {
    double sum = 0, top = double(x[i * 5]);
    for (size_t j = 0; j < 5; ++j) {
      const double old = std::exchange(top, std::max(top, double(x[i * 5 + j])));
      sum = sum * std::exp(top - old) + std::exp(double(x[i * 5 + j]) - top);
    }
    for (size_t j = 0; j < 5; ++j) {
      output.push_back(double(float(std::exp(double(x[i * 5 + j]) - top) / sum)));
    }
  }
  CHECK(is_told(one, output,
                "Each time top grows, what has been summed up before is rescaled the "
                "wrong way"));
}

TEST_CASE("a padding that is applied twice is named") {
  const std::vector<float> x = drawn(12), f = {2, -3, 5, 7, 1};
  Case one(kWindows, {{"kh", 5}, {"pad_h", 2}, {"stride_h", 1}, {"h", 12}}, {{"x", x}, {"f", f}},
           {12});
  std::vector<double> output;
  for (int i = 0; i < 12; ++i) {
    double sum = 0;
    for (int p = 0; p < 5; ++p) {
      const int at = i - 2 - 2 + p;
      if (at >= 0 && at < 12) sum += double(x[size_t(at)]) * double(f[size_t(p)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(one, output, "The padding is applied twice"));
}

namespace {

constexpr const char* kShifted = "t[i<h, j<w] = sum(p<3) x[i - 1 + p ? h, j - 2 ? w]";
constexpr const char* kTurned = "y[image<n, k<c, i<h, j<w] = x[image:n, i:h, j:w, k:c]";
constexpr const char* kTurnedBack = "y[image<n, i<h, j<w, k<c] = x[image:n, k:c, i:h, j:w]";
constexpr const char* kRolledByTaps =
    "t[r<h] = sum(p<kh) u[p:kh, exact(r + pad_h - p*dilation_h, stride_h) ? oh]";
constexpr const char* kRolledByOutputs =
    "t[r<h] = sum(i<oh) u[exact(r + pad_h - i*stride_h, dilation_h) ? kh, i:oh]";
const OperationFormula kMoreMade[] = {{"shifted", kShifted, ""},
                                      {"turned", kTurned, ""},
                                      {"turned_back", kTurnedBack, ""},
                                      {"rolled_around", kRolledByTaps, ""},
                                      {"rolled_around", kRolledByOutputs, "", true}};
const RegisterFormulas kRegisteredMore(kMoreMade);

}  // namespace

TEST_CASE("one test for row and column together is named") {
  const std::vector<float> x = drawn(30);
  Case one(kShifted, {}, {{"x", x}}, {5, 6});
  one.evidence.op = "shifted";
  std::vector<double> output;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 6; ++j) {
      double sum = 0;
      for (int p = 0; p < 3; ++p) {
        const int place = (i - 1 + p) * 6 + j - 2;
        if (place >= 0 && place < 30) sum += double(x[size_t(place)]);
      }
      output.push_back(sum);
    }
  }
  CHECK(is_told(one, output, "Whether a place lies inside of x is tested by one number"));
}

TEST_CASE("a sum over lanes that lacks a step is named") {
  const std::vector<float> x = drawn(36);
  const std::vector<float> w = {2, -3, 5, 7, 1, -4, 3, 6, -2};
  Case one(kSums, {{"c", 9}}, {{"x", x}, {"w", w}}, {4});
  const auto lacking = [&](int distance) {
    std::vector<double> output;
    for (int i = 0; i < 4; ++i) {
      double sum = 0;
      for (int k = 0; k < 9; ++k) {
        if (k / distance % 2 == 0) sum += double(x[size_t(i * 9 + k)]) * double(w[size_t(k)]);
      }
      output.push_back(sum);
    }
    return output;
  };
  CHECK(
      is_told(one, lacking(1), "Of the terms 0, 1, 2, ... of each sum (over k) only every second"));
  CHECK(is_told(one, lacking(4),
                "Of the terms 0, 1, 2, ... of each sum (over k) only every second group of 4"));
}

TEST_CASE("products between two windows, of which no remainder is tested, are named") {
  const std::vector<float> x = drawn(13), f = {2, -3, 5};
  Case one(kWindows, {{"kh", 3}, {"pad_h", 1}, {"stride_h", 3}, {"h", 13}}, {{"x", x}, {"f", f}},
           {5});
  std::vector<double> output(5, 0);
  for (int at = 0; at < 13; ++at) {
    for (int p = 0; p < 3; ++p) {
      const int down = at + 1 - p;
      if (down >= 0 && down / 3 < 5) {
        output[size_t(down / 3)] += double(x[size_t(at)]) * double(f[size_t(p)]);
      }
    }
  }
  CHECK(is_told(one, output,
                "Products are added whose distance from the window's beginning is no multiple of "
                "stride_h"));
}

TEST_CASE("a first window that is rounded towards 0 is named") {
  const std::vector<float> u = drawn(28);
  Case one(kRolledByTaps, {{"kh", 7}, {"dilation_h", 1}, {"stride_h", 6}, {"pad_h", 0}, {"oh", 4}},
           {{"u", u}}, {20});
  one.evidence.op = "rolled_around";
  std::vector<double> output;
  for (int r = 0; r < 20; ++r) {
    double sum = 0;
    for (int i = std::max(0, (r - 7) / 6 + 1); i < 4; ++i) {
      const int tap = r - i * 6;
      if (tap >= 0 && tap < 7) sum += double(u[size_t(tap * 4 + i)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(one, output, "Window 0 is left out for elements that lie near the beginning"));
}

TEST_CASE("rows that are stored or read too far apart are named") {
  Case stored = grid(6, 5);
  std::vector<double> output(30, kUnwritten);
  const std::vector<float> a = drawn(30);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 5; ++j) {
      const size_t place = size_t(i * 8 + j);
      if (place < output.size()) output[place] = 2 * double(a[size_t(i * 5 + j)]);
    }
  }
  CHECK(is_told(stored, output,
                "In g the step from one i to the next is too large where it is written: `cols` "
                "rounded up to a multiple of 8"));
  Case planes(kPlanes, {}, {{"x", drawn(42)}, {"b", {1, 2, 3, 4, 5, 6}}}, {6, 7});
  std::vector<double> sums;
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < 7; ++i) {
      const size_t place = size_t(k * 8 + i);
      // What lies behind x is anything.
      sums.push_back(place < 42 ? double(drawn(42)[place]) + k + 1 : 77.5);
    }
  }
  CHECK(is_told(planes, sums,
                "In x the step from one channel to the next is too large where it is read"));
}

TEST_CASE("pixels that are transposed part by part are named") {
  constexpr int kChannels = 3, kRows = 4, kColumns = 7, kPart = 5, kPixels = kRows * kColumns;
  const std::vector<float> x = drawn(kChannels * kPixels);
  std::vector<double> output(x.size()), back(x.size());
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    const int first = pixel / kPart * kPart, own = std::min(kPart, kPixels - first);
    for (int k = 0; k < kChannels; ++k) {
      const size_t in_part = size_t(first * kChannels + k * own + pixel - first);
      output[in_part] = double(x[size_t(pixel * kChannels + k)]);
      back[size_t(pixel * kChannels + k)] = double(x[in_part]);
    }
  }
  Case one(kTurned, {}, {{"x", x}}, {1, kChannels, kRows, kColumns});
  one.evidence.op = "turned";
  CHECK(is_told(one, output, "The pixels are transposed in parts of 5"));
  Case other(kTurnedBack, {}, {{"x", x}}, {1, kRows, kColumns, kChannels});
  other.evidence.op = "turned_back";
  CHECK(is_told(other, back, "The pixels are transposed in parts of 5"));
}

TEST_CASE("the last tiles of parts that go on into the next part are named") {
  constexpr int kTerms = 90, kParts = 4, kTile = 16, kLength = 23;
  const std::vector<float> x = drawn(5 * kTerms), w = drawn(kTerms);
  Case one(kSums, {{"c", kTerms}}, {{"x", x}, {"w", w}}, {5});
  std::vector<double> output;
  for (int i = 0; i < 5; ++i) {
    double sum = 0;
    for (int part = 0; part < kParts; ++part) {
      const int end = std::min(kTerms, (part + 1) * kLength);
      for (int first = part * kLength; first < end; first += kTile) {
        for (int k = first; k < std::min(first + kTile, kTerms); ++k) {
          sum += double(x[size_t(i * kTerms + k)]) * double(w[size_t(k)]);
        }
      }
    }
    output.push_back(sum);
  }
  CHECK(is_told(one, output,
                "Terms are added twice where two parts of the sum meet (4 parts of 23 terms"));
}

TEST_CASE("which thread makes an access tells edits apart") {
  // Rows of 5, written 8 apart: the first thread of row 4 is the first one to leave the output.
  Case one = grid(4, 5);
  const std::vector<double> reference = one.values();
  const std::vector<double> magnitude(reference.size(), 100);
  one.evidence.reference.f64 = reference;
  one.evidence.magnitude = magnitude;
  one.evidence.tolerance.terms = 10;
  const auto guessed = [&](BadAccess access, const std::string& begin) {
    const std::vector<Guess> guesses = guesses_of_access(one.evidence, access);
    return std::ranges::any_of(
        guesses, [&](const Guess& guess) { return guess.sentence.starts_with(begin); });
  };
  const BadAccess anyone = {BadAccess::Kind::writes, 20, 20};
  BadAccess first_of_row = {BadAccess::Kind::writes, 20, 24, {3, 0}, 0}, other_column = anyone;
  other_column.block = {4, 0};
  other_column.column = 0;
  const std::string apart = "In g the step from one i to the next is too large";
  const std::string beyond = "Nothing stops the threads beyond the last i";
  CHECK(guessed(anyone, beyond));
  CHECK(guessed(first_of_row, apart));
  CHECK_FALSE(guessed(first_of_row, beyond));
  CHECK(guessed(other_column, beyond));
  CHECK_FALSE(guessed({BadAccess::Kind::writes, 20, 24, {2, 0}, 1}, apart));
}

TEST_CASE("images that are stored as far apart as those of the input are named") {
  const std::vector<float> x = drawn(3 * 2 * 4), f = {2, -3, 5, 7, 1, 4};
  constexpr const char* kMaps =
      "y[image<n, map<m, i<oh] = sum(k<c) x[image:n, k:c, i:h] * f[map:m, k:c]";
  static const OperationFormula kOne[] = {{"maps", kMaps, ""}};
  static const RegisterFormulas registered(kOne);
  Case one(kMaps, {{"c", 2}, {"h", 4}}, {{"x", x}, {"f", f}}, {3, 3, 4});
  one.evidence.op = "maps";
  std::vector<double> output(36, kUnwritten);
  for (size_t image = 0; image < 3; ++image) {
    for (size_t map = 0; map < 3; ++map) {
      for (size_t i = 0; i < 4; ++i) {
        output[image * 8 + map * 4 + i] = double(x[image * 8 + i]) * double(f[map * 2]) +
                                          double(x[image * 8 + 4 + i]) * double(f[map * 2 + 1]);
      }
    }
  }
  CHECK(is_told(one, output,
                "Where y is written, each image begins `c * h` elements behind the one before it, "
                "as in x"));
}

TEST_CASE("numbers of taps in phases that are rounded the wrong way are named") {
  const std::vector<float> u = drawn(5 * 6);
  Case one(kRolledByTaps, {{"kh", 5}, {"dilation_h", 1}, {"stride_h", 3}, {"pad_h", 2}, {"oh", 6}},
           {{"u", u}}, {16});
  one.evidence.op = "rolled_around";
  // Up to so many taps of each phase; behind the end of a window the last tap is taken.
  const auto rolled = [&](int taps) {
    std::vector<double> output;
    for (int r = 0; r < 16; ++r) {
      double sum = 0;
      for (int k = 0; k < taps; ++k) {
        const int p = (r + 2) % 3 + k * 3, i = (r + 2) / 3 - k;
        if (p < 5 && i >= 0 && i < 6) sum += double(u[size_t(p * 6 + i)]);
      }
      output.push_back(sum);
    }
    return output;
  };
  CHECK(rolled(2) == one.values());
  CHECK(
      is_told(one, rolled(1),
              "The last taps are missing: of the kh taps every stride_h-th one meets an element"));
  // Without what differs from tap to tap, such as a mean's gradient.
  constexpr const char* kSpread = "d[r<h] = sum(p<kh) u[exact(r + pad_h - p, stride_h) ? oh]";
  static const OperationFormula kOne[] = {{"spread", kSpread, ""}};
  static const RegisterFormulas registered(kOne);
  Case other(kSpread, {{"kh", 4}, {"stride_h", 3}, {"pad_h", 1}, {"oh", 6}},
             {{"u", {1, 2, 4, -7, 16, 32}}}, {17});
  other.evidence.op = "spread";
  std::vector<double> output;
  for (int r = 0; r < 17; ++r) {
    double sum = 0;
    for (int i = (r + 1) / 3 - 1; i <= (r + 1) / 3; ++i) {
      if (i >= 0 && i < 6) sum += double(std::array{1, 2, 4, -7, 16, 32}[size_t(i)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(other, output, "Elements behind the end of a window count to it, too"));
}

TEST_CASE("a remainder that is tested without the dilation is named") {
  const std::vector<float> u = drawn(3 * 6);
  Case one(kRolledByTaps, {{"kh", 3}, {"dilation_h", 2}, {"stride_h", 3}, {"pad_h", 1}, {"oh", 6}},
           {{"u", u}}, {16});
  one.evidence.op = "rolled_around";
  std::vector<double> output;
  for (int r = 0; r < 16; ++r) {
    double sum = 0;
    for (int p = (r + 1) % 3; p < 3; p += 3) {
      const int down = r + 1 - p * 2;
      if (down >= 0 && down / 3 < 6) sum += double(u[size_t(p * 6 + down / 3)]);
    }
    output.push_back(sum);
  }
  CHECK(is_told(
      one, output,
      "Whether the division by stride_h leaves a remainder is tested with `r + pad_h - p`"));
}

TEST_CASE("gaps between tiles along both axes are named") {
  constexpr const char* kTiles =
      "y[i<oh, j<ow] = sum(p<kh, q<kw) x[i + p : oh + kh - 1, j + q : ow + kw - 1]";
  static const OperationFormula kOne[] = {{"tiles", kTiles, ""}};
  static const RegisterFormulas registered(kOne);
  Case one(kTiles, {{"kh", 3}, {"kw", 2}}, {{"x", drawn(22 * 21)}}, {20, 20});
  one.evidence.op = "tiles";
  std::vector<double> output = one.values();
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) {
      if (i % 8 >= 6 || j % 16 >= 15) output[size_t(i * 20 + j)] = kUnwritten;
    }
  }
  CHECK(is_told(one, output, "Tiles of outputs begin 8 rows and 16 columns apart"));
}

// SPDX-License-Identifier: MIT
// Outputs as a grid of threads with a known mistake leaves them: each must be named, and only where
// nothing else comes to the same.
#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "compare/tests/made_case.h"

using namespace convkit;

namespace {

std::mt19937 g_random(2);

// What memory holds that no thread has stored to: an output that the runner has filled, memory from
// cudaMalloc on the CPU device, and such memory as a GPU often gives.
float sentinel() {
  float value;
  fill_sentinel(&value, sizeof value);
  return value;
}
const std::vector<float> kBefore = {sentinel(), std::numeric_limits<float>::quiet_NaN(), 0};

std::string named(const MadeCase& on, const std::vector<float>& got) {
  return diagnose(on.evidence(got)).id;
}

// The expected outputs at the places that `covers` says, in an output that held `before`.
template <class Covers>
std::vector<float> covered(const MadeCase& on, float before, Covers covers) {
  const std::vector<int64_t>& d = on.dims;
  const int64_t cols = d.back(), rows = d.size() > 1 ? d[d.size() - 2] : 1;
  const int64_t maps = d.size() == 4 ? d[1] : 1;
  std::vector<float> y(on.reference.size());
  for (size_t at = 0; at < y.size(); ++at) {
    const auto index = int64_t(at);
    const int64_t plane = index / cols / rows;
    const bool there = covers(plane / maps, plane % maps, index / cols % rows, index % cols);
    if (there) {
      y[at] = float(on.reference[at]);
    } else {
      std::memcpy(&y[at], &before, sizeof before);
    }
  }
  return y;
}

// n, c, h, w, m, kh, kw: outputs of 21 x 43, 3 images, 4 maps.
const Conv2dShape kShape{3, 2, 23, 45, 4, 3, 3};

MadeCase conv(const char* op = "conv2d_direct") {
  return conv_case(op, kShape, g_random);
}

MadeCase product(int rows, int inner, int cols) {
  MadeCase on;
  on.op = "matrix_product";
  on.output = "c";
  on.dims = {rows, cols};
  on.params = {{"rows", rows}, {"inner", inner}, {"cols", cols}};
  on.terms = inner;
  on.inputs["a"] = normal_values(g_random, int64_t(rows) * inner);
  on.inputs["b"] = normal_values(g_random, int64_t(inner) * cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      double sum = 0, size = 0;
      for (int k = 0; k < inner; ++k) {
        const double term = double(on.inputs["a"][size_t(i * inner + k)]) *
                            double(on.inputs["b"][size_t(k * cols + j)]);
        sum += term;
        size += std::fabs(term);
      }
      on.reference.push_back(sum);
      on.magnitude.push_back(size);
    }
  }
  return on;
}

MadeCase too_large() {
  MadeCase on;
  on.op = "vector_add_too_large";
  on.output = "error";
  on.dims = {1};
  on.int_reference = {2};
  return on;
}

// Two calls in a row: w and b hold both sets, y both results.
MadeCase two_calls() {
  const Conv2dShape shape{2, 2, 7, 8, 3, 3, 2};
  const MadeCase first = conv_case("conv2d_constant", shape, g_random);
  MadeCase second = conv_case("conv2d_constant", shape, g_random);
  // The second call on the images of the first.
  MadeCase both = first;
  both.op = "conv2d_constant_twice";
  for (const char* name : {"w", "b"}) {
    auto& values = both.inputs[name];
    values.insert(values.end(), second.inputs[name].begin(), second.inputs[name].end());
  }
  both.dims[0] *= 2;
  const auto& x = first.inputs.at("x");
  for (int n = 0; n < shape.n; ++n) {
    for (int m = 0; m < shape.m; ++m) {
      for (int i = 0; i < shape.oh(); ++i) {
        for (int j = 0; j < shape.ow(); ++j) {
          double sum = double(second.inputs["b"][size_t(m)]), size = std::fabs(sum);
          for (int c = 0; c < shape.c; ++c) {
            for (int p = 0; p < shape.kh; ++p) {
              for (int q = 0; q < shape.kw; ++q) {
                const int at = ((n * shape.c + c) * shape.h + i + p) * shape.w + j + q;
                const int tap = ((m * shape.c + c) * shape.kh + p) * shape.kw + q;
                const double term = double(x[size_t(at)]) * double(second.inputs["w"][size_t(tap)]);
                sum += term;
                size += std::fabs(term);
              }
            }
          }
          both.reference.push_back(sum);
          both.magnitude.push_back(size);
        }
      }
    }
  }
  return both;
}

// What the bias of the second call is above that of the first.
double bias_step(const MadeCase& both, size_t at) {
  const auto plane = size_t(both.dims[2] * both.dims[3]), maps = size_t(both.dims[1]);
  const std::vector<float>& b = both.inputs.at("b");
  return double(b[maps + at / plane % maps]) - double(b[at / plane % maps]);
}

}  // namespace

TEST_CASE("A grid that was rounded down is named, whatever lies in the rest") {
  const MadeCase on = conv();  // in blocks of 8 x 8
  for (float before : kBefore) {
    CHECK(named(on, covered(on, before, [](int64_t, int64_t, int64_t i, int64_t j) {
                  return i < 16 && j < 40;
                })) == "grid_truncated");
  }
  MadeCase vector;
  vector.op = "vector_add";
  vector.output = "c";
  vector.dims = {777};
  vector.terms = 1;
  for (int i = 1; i <= 777; ++i) vector.reference.push_back(i);
  vector.magnitude = vector.reference;
  for (float before : kBefore) {
    CHECK(named(vector, covered(vector, before, [](int64_t, int64_t, int64_t, int64_t j) {
                  return j < 768;
                })) == "grid_truncated");
  }
}

TEST_CASE("Tiles of which only the beginnings are computed are named where there are two of them") {
  const MadeCase on = conv();  // 21 x 43, in tiles of 32 columns and blocks of 8
  CHECK(named(on, covered(on, sentinel(), [](int64_t, int64_t, int64_t, int64_t j) {
                return j % 32 < 8;
              })) == "block_too_short");
  CHECK(named(on, covered(on, sentinel(), [](int64_t, int64_t, int64_t i, int64_t) {
                return i % 16 < 4;
              })) == "block_too_short");
  // Where there is one tile, its end may be that of a grid which was rounded down.
  const MadeCase narrow = conv_case("conv2d_direct", {1, 1, 19, 15, 1, 3, 3}, g_random);
  CHECK(named(narrow, covered(narrow, sentinel(), [](int64_t, int64_t, int64_t, int64_t j) {
                return j < 8;
              })) != "block_too_short");
}

TEST_CASE("One missing row and column may be a loop's bound or a grid's: neither is named") {
  const MadeCase on = conv_case("conv2d_direct", {1, 1, 19, 35, 1, 3, 3}, g_random);  // 17 x 33
  const std::string id =
      named(on, covered(on, sentinel(),
                        [](int64_t, int64_t, int64_t i, int64_t j) { return i < 16 && j < 32; }));
  CHECK(id != "grid_truncated");
  CHECK(id != "off_by_one_border");
  // Nor where the grid has a single block left: it may be that all compute the first.
  const MadeCase larger = conv();
  CHECK(named(larger,
              covered(larger, sentinel(),
                      [](int64_t, int64_t, int64_t i, int64_t j) { return i < 16 && j < 32; }))
            .empty());
}

TEST_CASE("A tile's missing offset and a block that is always the first are told apart") {
  const MadeCase on = conv();
  // Tiles of 8 x 32: three rows of tiles begin at 0, 1 and 2, two columns at 0 and 1.
  CHECK(named(on, covered(on, sentinel(), [](int64_t, int64_t, int64_t i, int64_t j) {
                return i < 10 && j < 33;
              })) == "tile_offset_missing");
  CHECK(named(on, covered(on, sentinel(), [](int64_t, int64_t, int64_t i, int64_t j) {
                return i < 8 && j < 32;
              })) == "block_index_missing");
}

TEST_CASE("Blocks as far apart as if a thread computed one output are named") {
  const auto rows_below = [](const MadeCase& on, int64_t end) {
    return named(
        on, covered(on, sentinel(), [&](int64_t, int64_t, int64_t i, int64_t) { return i < end; }));
  };
  // 33 blocks of 8 threads and 4 outputs each.
  const MadeCase high = conv_case("conv2d_direct", {1, 1, 1042, 3, 1, 3, 3}, g_random);
  CHECK(rows_below(high, 32 * 8 + 32) == "tile_offset_without_factor");
  CHECK(rows_below(high, 32 * 8 + 30).find("tile_offset") == std::string::npos);
  // 48 of 70 rows may also be 3 blocks of 16 for 3 times 32.
  const MadeCase low = conv_case("conv2d_direct", {1, 1, 72, 7, 1, 3, 3}, g_random);
  CHECK(rows_below(low, 48) != "tile_offset_without_factor");
}

TEST_CASE("A grid whose rows are counted with the width of the block is named") {
  const auto rows_below = [](const MadeCase& on, int64_t end) {
    return named(
        on, covered(on, sentinel(), [&](int64_t, int64_t, int64_t i, int64_t) { return i < end; }));
  };
  const MadeCase on = conv_case("conv2d_direct", {1, 1, 72, 7, 1, 3, 3}, g_random);  // 70 rows
  CHECK(rows_below(on, 24) == "grid_counted_with_other_side");  // 3 blocks of 8 for 3 times 32
  CHECK(rows_below(on, 28) != "grid_counted_with_other_side");  // no block is 28 high
  // With as many rows as one block has it may be the only one, or all compute the same.
  const MadeCase low = conv_case("conv2d_direct", {1, 1, 18, 7, 1, 3, 3}, g_random);
  CHECK(rows_below(low, 8) != "grid_counted_with_other_side");
}

TEST_CASE("Images and maps exchanged are named, in the grid and in the index") {
  const MadeCase on = conv();
  CHECK(named(on, covered(on, sentinel(), [](int64_t n, int64_t m, int64_t, int64_t) {
                return n < 3 && m < 3;
              })) == "swapped_images_and_maps");
  const size_t plane = size_t(on.dims[2] * on.dims[3]);
  std::vector<float> y(on.reference.size());
  for (size_t n = 0; n < 3; ++n) {
    for (size_t m = 0; m < 4; ++m) {
      for (size_t at = 0; at < plane; ++at) {
        y[(m * 3 + n) * plane + at] = float(on.reference[(n * 4 + m) * plane + at]);
      }
    }
  }
  CHECK(named(on, y) == "swapped_images_and_maps");
}

TEST_CASE("x and y exchanged between grid and kernel are named where nothing else fits") {
  const MadeCase on = product(33, 7, 66);
  for (float before : kBefore) {  // blocks of 16 x 16: 33 rows need three, and three are 48 columns
    CHECK(named(on, covered(on, before, [](int64_t, int64_t, int64_t, int64_t j) {
                  return j < 48;
                })) == "swapped_xy");
  }
}

TEST_CASE("A matrix that is read or written transposed is named") {
  const int rows = 5, inner = 6, cols = 7;
  const MadeCase on = product(rows, inner, cols);
  const auto& a = on.inputs.at("a");
  const auto& b = on.inputs.at("b");
  for (int transposed = 0; transposed < 3; ++transposed) {
    std::vector<float> c(on.reference.size());
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) {
        float sum = 0;
        for (int k = 0; k < inner; ++k) {
          sum += a[size_t(transposed == 0 ? k * rows + i : i * inner + k)] *
                 b[size_t(transposed == 1 ? j * inner + k : k * cols + j)];
        }
        c[size_t(transposed == 2 ? j * rows + i : i * cols + j)] = sum;
      }
    }
    CHECK(named(on, c) == "transposed_matrix");
  }
}

TEST_CASE("An error that is ignored and one that is not the first are named") {
  const MadeCase on = too_large();
  const std::vector<int32_t> none = {0}, later = {1}, right = {2};
  CHECK(diagnose(on.evidence(none)).id == "error_ignored");
  CHECK(diagnose(on.evidence(later)).id == "later_error");
  CHECK(diagnose(on.evidence(right)).id.empty());
}

TEST_CASE("Filters of another part of constant memory are named") {
  // 5 filters of 7 x 7 and 112 channels: two fit at a time.
  const Conv2dShape shape{1, 112, 9, 9, 5, 7, 7};
  const MadeCase on = conv_case("conv2d_constant", shape, g_random);
  const auto with = [&](const std::vector<size_t>& filter_of) {
    const std::vector<float>& b = on.inputs.at("b");
    std::vector<float> y(on.reference.size());
    for (size_t at = 0; at < y.size(); ++at) {
      const size_t m = at / 9, source = filter_of[m];
      y[at] = float(on.reference[source * 9 + at % 9] - double(b[source]) + double(b[m]));
    }
    return diagnose(on.evidence(y));
  };
  const Diagnosis first = with({0, 1, 0, 1, 0}), last = with({4, 3, 4, 3, 4});
  CHECK(first.id == "stale_constant");
  CHECK_THAT(first.message, Catch::Contains("those of the first"));
  CHECK(last.id == "stale_constant");
  CHECK_THAT(last.message, Catch::Contains("too early"));
}

TEST_CASE("Filters of another call are named, also where that call was an earlier one") {
  const MadeCase on = two_calls();
  const size_t half = on.reference.size() / 2;
  std::vector<float> first(on.reference.begin(), on.reference.end()), second = first, older = first;
  const std::vector<float> noise = normal_values(g_random, int64_t(half));
  for (size_t at = 0; at < half; ++at) {
    const double step = bias_step(on, at);
    first[half + at] = float(on.reference[at] + step);
    second[at] = float(on.reference[half + at] - step);
    older[at] = noise[at];
    older[half + at] = float(double(noise[at]) + step);
  }
  CHECK_THAT(diagnose(on.evidence(first)).message, Catch::Contains("filters of the first"));
  CHECK_THAT(diagnose(on.evidence(second)).message, Catch::Contains("filters of the second"));
  CHECK_THAT(diagnose(on.evidence(older)).message, Catch::Contains("those of a call before"));
  CHECK(named(on, first) == "stale_constant");
  CHECK(named(on, second) == "stale_constant");
  CHECK(named(on, older) == "stale_constant");
}

TEST_CASE("Noise has no name, and models of the grid leave other stages alone") {
  for (const char* op : {"conv2d_direct", "conv2d_constant", "conv2d_unrolled"}) {
    const MadeCase on = conv(op);
    CHECK(named(on, normal_values(g_random, int64_t(on.reference.size()))).empty());
  }
  const MadeCase cpu = conv("conv2d_forward");
  CHECK(named(cpu, covered(cpu, sentinel(),
                           [](int64_t, int64_t, int64_t i, int64_t j) { return i < 16 && j < 32; }))
            .empty());
}

namespace {

constexpr Conv2dShape kTiledShape{1, 2, 20, 37, 2, 3, 5, 1, 2};
constexpr int kTileH = 8, kTileW = 16;

MadeCase tiled() {
  return conv_case("conv2d_tiled", kTiledShape, g_random);
}

float x_of(const MadeCase& on, int c, int row, int col) {
  const Conv2dShape& s = kTiledShape;
  if (row < 0 || row >= s.h || col < 0 || col >= s.w) return 0;
  return on.inputs.at("x")[size_t((c * s.h + row) * s.w + col)];
}

// The sums of all outputs, each with element(i, j, c, p, q) in the place of x.
template <class Element>
std::vector<float> sums_of(const MadeCase& on, Element element) {
  const Conv2dShape& s = kTiledShape;
  std::vector<float> y;
  for (int m = 0; m < s.m; ++m) {
    for (int i = 0; i < s.oh(); ++i) {
      for (int j = 0; j < s.ow(); ++j) {
        double sum = double(on.inputs.at("b")[size_t(m)]);
        for (int c = 0; c < s.c; ++c) {
          for (int p = 0; p < s.kh; ++p) {
            for (int q = 0; q < s.kw; ++q) {
              const size_t tap = size_t(((m * s.c + c) * s.kh + p) * s.kw + q);
              sum += double(element(i, j, c, p, q)) * double(on.inputs.at("w")[tap]);
            }
          }
        }
        y.push_back(float(sum));
      }
    }
  }
  return y;
}

// Tiles that 128 threads load, whose column moves on by 128; while or if it is beyond the row.
std::vector<float> loaded_in_steps(const MadeCase& on, bool carries_all) {
  const Conv2dShape& s = kTiledShape;
  const int rows = kTileH + s.kh - 1, cols = kTileW + s.kw - 1, threads = kTileH * kTileW;
  return sums_of(on, [&](int i, int j, int c, int p, int q) {
    const int at = (i % kTileH + p) * cols + j % kTileW + q;
    int row = at % threads / cols, col = at % threads % cols;
    for (int k = at % threads; k < at; k += threads) {
      col += threads;
      while (col >= cols) {
        col -= cols, ++row;
        if (!carries_all) break;
      }
    }
    REQUIRE(row < rows);
    return x_of(on, c, i / kTileH * kTileH - s.pad_h + row, j / kTileW * kTileW - s.pad_w + col);
  });
}

}  // namespace

TEST_CASE("A column that passes several rows of a tile and carries one is named") {
  const MadeCase on = tiled();
  CHECK(on.evidence(loaded_in_steps(on, true)).comparison.passed());
  CHECK(named(on, loaded_in_steps(on, false)) == "carry_made_once");
}

TEST_CASE("Tiles that are numbered by the height of the output are named") {
  // 5 x 2 tiles, taken for rows of 3: the last of the ten is tile (3, 0).
  const MadeCase on = conv_case("conv2d_tiled", {1, 2, 40, 20, 2, 3, 5, 1, 2}, g_random);
  const auto some = [&](int64_t tiles_in_last_row) {
    return covered(on, sentinel(), [&](int64_t, int64_t, int64_t i, int64_t j) {
      return i / kTileH < 3 || (i / kTileH == 3 && j / kTileW < tiles_in_last_row);
    });
  };
  CHECK(named(on, some(1)) == "tiles_numbered_by_height");
  CHECK(named(on, some(2)) != "tiles_numbered_by_height");
}

TEST_CASE("A kernel row or column that a whole tile skips for one of its outputs is named") {
  const MadeCase on = tiled();
  const Conv2dShape& s = kTiledShape;
  const auto skipped = [&](bool of_rows) {
    return sums_of(on, [&](int i, int j, int c, int p, int q) {
      const int first_row = i / kTileH * kTileH - s.pad_h + p;
      const int first_col = j / kTileW * kTileW - s.pad_w + q;
      if (of_rows ? first_row < 0 : first_col < 0) return 0.0f;
      return x_of(on, c, i - s.pad_h + p, j - s.pad_w + q);
    });
  };
  CHECK(named(on, skipped(true)) == "skipped_for_whole_tile");
  CHECK(named(on, skipped(false)) == "skipped_for_whole_tile");
  CHECK_THAT(diagnose(on.evidence(skipped(false))).message,
             Catch::Contains("A kernel column is skipped"));
}

// SPDX-License-Identifier: MIT
// Task 01.7: the fast convolution.
#include "cpu_conv.h"
// BEGIN SOLUTION(01.7)
//
// Three ideas:
//   1. the padding is written out, strip by strip, in a copy that fits the cache   padded_strip.h
//   2. padding, stride and dilation become offsets into that copy                  padded_strip.h
//   3. a tile of outputs stays in registers for all its products                   register_tile.h
// This file has the order in which the tiles are computed. docs/fast-convolution.md says what each
// step gained.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "padded_strip.h"
#include "register_tile.h"

namespace {

using namespace fast_conv;

// A strip is read once for every block of filters. It should stay in the L2 cache during all of
// these reads, and leave room for the filters and the outputs.
constexpr ptrdiff_t kStripBytes = 128 * 1024;

// Rows of output per strip: as many as fit, in strips of equal height.
int strip_rows(const Conv2dShape& s) {
  const auto row_bytes =
      static_cast<ptrdiff_t>(sizeof(float)) * s.c * s.stride_h * (s.w + 2 * s.pad_w);
  const auto fitting = static_cast<int>(std::clamp<ptrdiff_t>(kStripBytes / row_bytes, 1, s.oh()));
  const int strips = (s.oh() + fitting - 1) / fitting;
  return (s.oh() + strips - 1) / strips;
}

// Covers `rows` rows of output, from `first_row` on, with tiles.
std::vector<TilePlace> place_tiles(const PaddedStrip& strip, int first_row, int rows, int ow) {
  std::vector<TilePlace> places;
  int vector = 0;  // the next one to be placed in places.back()
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < ow; j += kLanes) {
      // The last vector of a row ends with the row. It computes some outputs a second time, which
      // is cheaper than storing a part of a vector.
      const int column = std::max(std::min(j, ow - kLanes), 0);
      if (vector == 0) places.emplace_back().lanes = std::min(ow, kLanes);
      // The vectors after it are set, too: in the last tile, no other may replace them.
      for (int v = vector; v < kVectors; ++v) {
        places.back().window[v] = strip.window(i, column);
        places.back().output[v] = ptrdiff_t(first_row + i) * ow + column;
      }
      vector = (vector + 1) % kVectors;
    }
  }
  return places;
}

// Calls compute_tile() for every place. The number of filters becomes a constant: all are tried.
template <int filters = kFilters>
void compute_tiles(int wanted, std::span<const TilePlace> places,
                   std::span<const ptrdiff_t> offsets, const FilterBlock& block) {
  if (filters == wanted) {
    for (const TilePlace& place : places) compute_tile<filters>(place, offsets, block);
  } else if constexpr (filters > 1) {
    compute_tiles<filters - 1>(wanted, places, offsets, block);
  }
}

}  // namespace
// END SOLUTION

void conv2d_fast(const float* x, const float* w, const float* b, float* y,
                 const Conv2dShape* shape) {
  // BEGIN SOLUTION(01.7)
  //> // TODO(01.7): the result of conv2d_forward, as fast as you can make it on one core.
  //> CONVKIT_TODO("01.7");
  const Conv2dShape& s = *shape;
  const int oh = s.oh(), ow = s.ow();
  const int rows = strip_rows(s);
  PaddedStrip strip(s, rows);
  const std::vector<ptrdiff_t> offsets = strip.tap_offsets();
  const auto taps = static_cast<ptrdiff_t>(offsets.size());
  const ptrdiff_t plane_size = ptrdiff_t(oh) * ow;

  for (int n = 0; n < s.n; ++n) {
    for (int first_row = 0; first_row < oh; first_row += rows) {
      strip.load(x + ptrdiff_t(n) * s.c * s.h * s.w, first_row);
      const auto places = place_tiles(strip, first_row, std::min(rows, oh - first_row), ow);
      for (int m = 0; m < s.m; m += kFilters) {
        const FilterBlock block = {.weights = w + m * taps,
                                   .bias = b + m,
                                   .y = y + (ptrdiff_t(n) * s.m + m) * plane_size,
                                   .plane_size = plane_size};
        compute_tiles(std::min(kFilters, s.m - m), places, offsets, block);
      }
    }
  }
  // END SOLUTION
}

// SPDX-License-Identifier: MIT
// Known mistakes in the way from a thread to its output: too few blocks, blocks that start at the
// wrong place, dimensions of the grid exchanged.
#include <algorithm>

#include "device_output.h"

namespace convkit::stage_02 {
namespace {

// The threads that an axis of `count` outputs gets in blocks of a given size.
using Covered = int64_t (*)(int64_t count, int64_t block);

int64_t truncated(int64_t count, int64_t block) {
  return count / block * block;
}
// Block k starts at k, not at k * block.
int64_t without_offset(int64_t count, int64_t block) {
  return std::min(count, blocks_for(count, block) - 1 + block);
}
int64_t first_block(int64_t count, int64_t block) {
  return std::min(count, block);
}
// Each thread computes several outputs of the block, and the blocks are as far apart as if it
// computed one. (Fewer than four threads along an axis are too few to guess at.)
template <int64_t kOutputsOfThread>
int64_t without_factor(int64_t count, int64_t block) {
  const int64_t threads = block / kOutputsOfThread;
  return threads < 4 ? 0 : std::min(count, (blocks_for(count, block) - 1) * threads + block);
}

bool is_covered_by(Covered covered, int64_t written, int64_t count) {
  return written == count || std::any_of(std::begin(kBlockSizes), std::end(kBlockSizes),
                                         [&](int64_t b) { return covered(count, b) == written; });
}

// The corner that was written is what these blocks cover, and something is missing.
Prediction corner(const Evidence& evidence, Covered covered) {
  const ExpectedOutput expected(evidence);
  const WrittenCorner written(expected);
  if (!expected.usable || written.rows == 0) return std::nullopt;
  if (written.rows == expected.rows && written.cols == expected.cols) return std::nullopt;
  if (!is_covered_by(covered, written.rows, expected.rows)) return std::nullopt;
  if (!is_covered_by(covered, written.cols, expected.cols)) return std::nullopt;
  return expected.where(
      [&](int64_t, int64_t, int64_t i, int64_t j) { return i < written.rows && j < written.cols; });
}

Prediction too_few_blocks(const Evidence& evidence) {
  return corner(evidence, truncated);
}
Prediction blocks_overlap(const Evidence& evidence) {
  return corner(evidence, without_offset);
}
Prediction only_one_block(const Evidence& evidence) {
  return corner(evidence, first_block);
}
Prediction blocks_overlap_in_part(const Evidence& evidence) {
  for (const Covered covered : {without_factor<2>, without_factor<4>, without_factor<8>}) {
    if (auto predicted = corner(evidence, covered)) return predicted;
  }
  return std::nullopt;
}

// gridDim was set for (cols, rows), and the kernel takes x for the row.
Prediction axes_swapped(const Evidence& evidence) {
  const ExpectedOutput expected(evidence);
  const WrittenCorner written(expected);
  if (!expected.usable || written.rows == 0) return std::nullopt;
  for (int64_t x : kBlockSizes) {
    for (int64_t y : kBlockSizes) {
      const int64_t rows = std::min(expected.rows, blocks_for(expected.cols, x) * x);
      const int64_t cols = std::min(expected.cols, blocks_for(expected.rows, y) * y);
      if (rows != written.rows || cols != written.cols || x * y > 1024) continue;
      if (rows == expected.rows && cols == expected.cols) continue;
      return expected.where(
          [&](int64_t, int64_t, int64_t i, int64_t j) { return i < rows && j < cols; });
    }
  }
  return std::nullopt;
}

// Of one side all is covered, and of the other as much as the blocks cover that are counted with
// the block's larger side.
struct OtherSide {
  explicit OtherSide(const Evidence& evidence) : expected(evidence), written(expected) {
    if (!expected.usable || written.rows == 0) return;
    const bool all_rows = written.rows == expected.rows, all_cols = written.cols == expected.cols;
    if (all_rows == all_cols) return;
    const int64_t count = all_cols ? expected.rows : expected.cols;
    const int64_t covered = all_cols ? written.rows : written.cols;
    for (const int64_t side : kBlockSizes) {
      for (const int64_t other : kBlockSizes) {
        if (side >= other || side * other > kMostThreads) continue;
        if (side * blocks_for(count, other) != covered) continue;
        fits = true;
      }
    }
    may_be_one_block = is_covered_by(first_block, covered, count);
  }
  static constexpr int64_t kMostThreads = 1024;
  ExpectedOutput expected;
  WrittenCorner written;
  bool fits = false, may_be_one_block = false;
};
Prediction counted_with_other_side(const Evidence& evidence) {
  const OtherSide side(evidence);
  if (!side.fits || axes_swapped(evidence)) return std::nullopt;
  return side.expected.where([&](int64_t, int64_t, int64_t i, int64_t j) {
    return i < side.written.rows && j < side.written.cols;
  });
}
bool is_one_block(const Evidence& evidence) {
  return OtherSide(evidence).may_be_one_block;
}
bool has_too_few_blocks(const Evidence& evidence) {
  return is_one_block(evidence) || axes_swapped(evidence) || counted_with_other_side(evidence);
}

// Of every `tile` outputs along an axis only the first `block` are computed.
Prediction beginnings_of_tiles(const Evidence& evidence, bool along_rows) {
  const ExpectedOutput expected(evidence);
  const WrittenCorner written(expected);
  if (!expected.usable || written.rows == 0) return std::nullopt;
  const int64_t count = along_rows ? expected.rows : expected.cols;
  const auto is_written = [&](int64_t at) {
    return expected.written(
        size_t(along_rows ? expected.index(0, 0, at, 0) : expected.index(0, 0, 0, at)));
  };
  for (const int64_t tile : kBlockSizes) {
    for (const int64_t block : kBlockSizes) {
      if (block >= tile || block >= count) continue;
      bool fits = true;
      for (int64_t at = 0; at < count && fits; ++at) fits = is_written(at) == (at % tile < block);
      if (!fits) continue;
      return expected.where([&](int64_t, int64_t, int64_t i, int64_t j) {
        return (along_rows ? i : j) % tile < block;
      });
    }
  }
  return std::nullopt;
}
// One beginning of one tile is what a grid leaves that is too small, too.
bool is_one_beginning(const Evidence& evidence) {
  const ExpectedOutput expected(evidence);
  const WrittenCorner written(expected);
  for (int64_t i = 0; i < written.rows; ++i) {
    for (int64_t j = 0; j < written.cols; ++j) {
      const auto at = size_t(expected.index(0, 0, i, j));
      if (!expected.written(at) && expected.values[at] != 0) return false;
    }
  }
  return true;
}
Prediction beginnings_of_columns(const Evidence& evidence) {
  return beginnings_of_tiles(evidence, false);
}
Prediction beginnings_of_rows(const Evidence& evidence) {
  return beginnings_of_tiles(evidence, true);
}

// The grid has a dimension for the images and one for the maps, and the kernel takes each for the
// other; what does not exist is not computed.
Prediction images_and_maps_swapped(const Evidence& evidence) {
  const ExpectedOutput expected(evidence);
  if (!expected.usable || expected.images == expected.maps) return std::nullopt;
  const int64_t both = std::min(expected.images, expected.maps);
  return expected.where(
      [&](int64_t n, int64_t m, int64_t, int64_t) { return n < both && m < both; });
}

// y is written as [m][n][oh][ow].
Prediction maps_before_images(const Evidence& evidence) {
  const ExpectedOutput expected(evidence);
  if (!expected.usable || expected.images == 1 || expected.maps == 1) return std::nullopt;
  const int64_t plane = expected.rows * expected.cols;
  std::vector<double> y(expected.values.size());
  for (int64_t n = 0; n < expected.images; ++n) {
    for (int64_t m = 0; m < expected.maps; ++m) {
      std::copy_n(expected.values.begin() + expected.index(n, m, 0, 0), plane,
                  y.begin() + (m * expected.images + n) * plane);
    }
  }
  return y;
}

// --- what students read ----------------------------------------------------------------------

constexpr const char* kTruncated =
    "The grid is truncated: size / block blocks are "
    "launched, and the rest of the output has no threads.";
constexpr const char* kTruncatedHint =
    "Round up, (size + block - 1) / block, and let threads outside of the output return at once.";
constexpr const char* kOffset =
    "The tile's offset is missing: block k starts at output k instead of k times the size of a "
    "block, so the blocks overlap.";
constexpr const char* kOffsetHint =
    "The first output of a block is its number times its size: blockIdx * blockDim + threadIdx.";
constexpr const char* kFactor =
    "The blocks overlap: a thread computes several outputs, and the block's first output lacks "
    "that factor.";
constexpr const char* kFactorHint =
    "The first output of a block is its number times all outputs that a block computes: its "
    "threads along the axis times the outputs of each.";
constexpr const char* kOneBlock =
    "Only the first block's outputs are written: every block computes the same ones, the outputs "
    "of the others lie outside, or there is no other block.";
constexpr const char* kOneBlockHint =
    "threadIdx counts within a block and starts at 0 in each: add blockIdx * blockDim. And is the "
    "block as wide and as high as the grid was counted for? dim3 begins with x.";
constexpr const char* kOtherSide =
    "The grid has too few blocks along one side: their number is counted with the block's other, "
    "larger side.";
constexpr const char* kOtherSideHint =
    "Count each side with its own size of the block: x with the columns and blockDim.x, y with the "
    "rows and blockDim.y.";
constexpr const char* kTooNarrow =
    "Of each tile only the first columns are computed: a block has fewer threads in x than its "
    "tile has columns, as where x and y of the block have changed places.";
constexpr const char* kTooLow =
    "Of each tile only the first rows are computed: a block has fewer threads in y than its tile "
    "has rows, as where x and y of the block have changed places.";
constexpr const char* kTooShortHint =
    "dim3 begins with x, the columns: compare the block of the launch with the sizes by which the "
    "grid is counted and by which the kernel finds the beginning of a tile.";
constexpr const char* kSwappedXy =
    "x and y of the grid are exchanged: it is launched for columns times rows, and the kernel "
    "takes x for the row.";
constexpr const char* kSwappedXyHint =
    "Let x be the columns, in the grid, in the block and in the kernel: neighbouring threads then "
    "take neighbouring elements.";
constexpr const char* kSwappedMaps =
    "Images and maps are exchanged between the grid and the kernel: it takes the dimension of the "
    "images for the map.";
constexpr const char* kSwappedMapsHint =
    "Compare dim3 grid(...) with the blockIdx that the kernel reads: with grid(tiles, m, n) the "
    "map is blockIdx.y and the image blockIdx.z.";

using Grid = MistakeModel::Grid;

constexpr int64_t kRemainder = 4;  // what a truncated grid leaves out may be little

constexpr MistakeModel truncated_in(const char* op) {
  return {.id = "grid_truncated",
          .op = op,
          .sentence = kTruncated,
          .hint = kTruncatedHint,
          .predict = too_few_blocks,
          .fewest = kRemainder,
          .grid = Grid::rounded_down};
}
constexpr MistakeModel offset_missing_in(const char* op) {
  return {.id = "tile_offset_missing",
          .op = op,
          .sentence = kOffset,
          .hint = kOffsetHint,
          .predict = blocks_overlap,
          .grid = Grid::covers};
}
constexpr MistakeModel offset_without_factor_in(const char* op) {
  return {.id = "tile_offset_without_factor",
          .op = op,
          .sentence = kFactor,
          .hint = kFactorHint,
          .predict = blocks_overlap_in_part,
          .fewest = kRemainder,
          .may_be_plainer = has_too_few_blocks};
}
constexpr MistakeModel block_index_missing_in(const char* op) {
  return {.id = "block_index_missing",
          .op = op,
          .sentence = kOneBlock,
          .hint = kOneBlockHint,
          .predict = only_one_block,
          .grid = Grid::covers};
}

constexpr MistakeModel too_narrow_in(const char* op) {
  return {.id = "block_too_short",
          .op = op,
          .sentence = kTooNarrow,
          .hint = kTooShortHint,
          .predict = beginnings_of_columns,
          .may_be_plainer = is_one_beginning};
}
constexpr MistakeModel too_low_in(const char* op) {
  return {.id = "block_too_short",
          .op = op,
          .sentence = kTooLow,
          .hint = kTooShortHint,
          .predict = beginnings_of_rows,
          .may_be_plainer = is_one_beginning};
}
constexpr MistakeModel other_side_in(const char* op) {
  return {.id = "grid_counted_with_other_side",
          .op = op,
          .sentence = kOtherSide,
          .hint = kOtherSideHint,
          .predict = counted_with_other_side,
          .fewest = kRemainder,
          .may_be_plainer = is_one_block};
}

const MistakeModel kGridMistakes[] = {
    truncated_in("conv2d_[dcu]*"),
    truncated_in("matrix_product"),
    truncated_in("vector_add"),
    offset_missing_in("conv2d_[dcu]*"),
    offset_missing_in("matrix_product"),
    block_index_missing_in("conv2d_[dcu]*"),
    block_index_missing_in("matrix_product"),
    block_index_missing_in("vector_add"),
    other_side_in("conv2d_[dcu]*"),
    other_side_in("matrix_product"),
    offset_without_factor_in("conv2d_[dcu]*"),
    offset_without_factor_in("matrix_product"),
    too_narrow_in("conv2d_[dcu]*"),
    too_narrow_in("matrix_product"),
    too_low_in("conv2d_[dcu]*"),
    too_low_in("matrix_product"),
    {"swapped_xy", "matrix_product", kSwappedXy, kSwappedXyHint, axes_swapped},
    {"swapped_images_and_maps", "conv2d_[dcu]*", kSwappedMaps, kSwappedMapsHint,
     images_and_maps_swapped},
    {"swapped_images_and_maps", "conv2d_[dcu]*",
     "Images and maps are exchanged in the index of y: it is written as [m][n][oh][ow].",
     "y[n][m][i][j] lies at ((n * m_total + m) * oh + i) * ow + j.", maps_before_images},
};

const RegisterMistakes kGridMistakesRegistered(kGridMistakes);

}  // namespace
}  // namespace convkit::stage_02

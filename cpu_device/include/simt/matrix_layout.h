// SPDX-License-Identifier: MIT
// Which element of a matrix a lane of a warp holds in element i of its fragment.
//
// CUDA leaves it open. This is how the mma instructions share matrices out among lanes (PTX ISA,
// "Matrix Fragments for mma.m16n8k16" and the others of 8 rows or 16), as GPUs of compute
// capability 8.0 and later do for 16 x 16 x 16 (seen in the library wmma_extension): lane / 4
// counts rows of a, columns of b and rows of the accumulator; lane % 4 counts along the other side,
// in runs of elements that share a register of 32 bits.
#pragma once

namespace convkit::simt {

struct MatrixPlace {
  int row, column;
};

// Of an accumulator (runs of 2), and of a: blocks of 8 rows first, then along the row.
static constexpr inline MatrixPlace place_by_rows(int rows, int run, int lane, int element) {
  const int block = element / run;
  return {lane / 4 + 8 * (block % (rows / 8)),
          lane % 4 * run + element % run + 4 * run * (block / (rows / 8))};
}

// Of b, which has `rows` rows: down a column first, then blocks of 8 columns.
static constexpr inline MatrixPlace place_by_columns(int rows, int run, int lane, int element) {
  const int block = element / run;
  const int blocks_down = rows / (4 * run);
  return {lane % 4 * run + element % run + 4 * run * (block % blocks_down),
          lane / 4 + 8 * (block / blocks_down)};
}

// Elements of a or b in a register: 2 halves, 4 bytes; numbers of 32 bits and more are alone.
static constexpr inline int run_of(int element_bytes) {
  return element_bytes < 4 ? 4 / element_bytes : 1;
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Elements of the tensors of a case, in their own coordinates, and the threads of a grid that are
// to compute them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/vector_types.h"

namespace convkit::simt::check {

// "y[0,0,0,3]", of the element with this number in C order. One past the end has a coordinate that
// is too large: the first whose dimension is not 1. `name` may be in backticks.
std::string coordinates(const std::string& name, const std::vector<int64_t>& dims, int64_t element);
// " (or y[0,0,19,20], a column too far)": of the first element behind the end, which is that, too.
// "" for others, and where rows have one element.
std::string column_too_far(const std::string& name, const std::vector<int64_t>& dims,
                           int64_t element);
// ": y has feature maps 0 to 8 only": of an element behind the end of the tensor, whose outermost
// coordinate is too large. "" where the tensor has only one dimension.
std::string beyond_dimension(const std::string& name, const std::vector<int64_t>& dims);

// Of an element at the beginning of an axis, column 0, say, or behind the end of the tensor: the
// one that ends the axis before it. Who computes neighbours, and goes past the end of a row, stores
// it and then this one.
struct EndOfAxis {
  int64_t element;
  std::string what;  // "column"
  int64_t extent;    // of the axis
};
std::vector<EndOfAxis> ends_before(const std::string& name, const std::vector<int64_t>& dims,
                                   int64_t element);
// "thread (3,0,0) also stores y[0,0,1,8], in the last column: ..."
std::string beyond_end_text(const std::string& thread, const std::string& name,
                            const std::vector<int64_t>& dims, const EndOfAxis& end);

// "1 x 1 x 20 x 20"
std::string shape_text(const std::vector<int64_t>& dims);

struct GridShape {
  uint3 blocks, threads;
};

// "The grid has 32 threads in x, and `y` has 20 columns: a thread beyond the last column must not
// read or write. ", if the grid is the smallest one that covers a dimension of the tensor and the
// thread is beyond it; else "". `element`: where in its array the access lies, if that is outside
// (else -1): for a tensor of one dimension it must be the thread's own number.
std::string beyond_text(const std::string& name, const std::vector<int64_t>& dims,
                        const GridShape& grid, uint3 block, uint3 thread, int64_t element);
// The same of the running launch and of each output of the case.
std::string beyond_outputs(uint3 block, uint3 thread, int64_t element = -1);

// Of an element of a shared array that the thread accesses: whether it lies where rows of as many
// elements as the block has threads in y would have it, y * blockDim.y + x. Then the block's two
// sizes, or the array's, have probably changed places.
bool is_in_rows_of_block_height(int64_t element, uint3 threads, uint3 thread);
std::string exchanged_sizes(uint3 threads);
uint3 threads_of_block();  // of the running launch

// Why a grid leaves elements of a tensor out, if their places say so: all of them, and no others,
// are where a dimension is larger than the grid. `written`: of each element. Both are empty if the
// grid does not explain it.
struct NotCovered {
  std::string dimensions;  // "`y` has 40 columns"
  std::string blocks;      // "In x, 2 blocks of 16 threads cover 32: 3 would cover 40."
  // There are as many blocks as a division that rounds down gives, and along no other axis too
  // many: else the grid is counted from something else.
  bool is_rounded_down = false;
  // It is too small in y or z only, where the block is one thread deep, and wide in x: a number of
  // threads was given where the kernel wants a block of two dimensions.
  bool has_flat_block = false;
  // All threads in x and y together would be enough: the blocks may be numbered in one row.
  bool has_enough_threads = false;
};
NotCovered not_covered(const std::string& name, const std::vector<int64_t>& dims,
                       const GridShape& grid, const std::vector<bool>& written);

}  // namespace convkit::simt::check

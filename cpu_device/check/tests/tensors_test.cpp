// SPDX-License-Identifier: MIT
#include "cpu_device/check/tensors.h"

#include "catch.h"

namespace convkit::simt::check {
namespace {

const std::vector<int64_t> kImage = {1, 1, 20, 20};

// What a grid writes if each thread writes the element at its place, and z counts planes.
std::vector<bool> written_by(const std::vector<int64_t>& dims, const GridShape& grid) {
  std::vector<bool> written;
  for (int64_t plane = 0; plane < dims[0] * dims[1]; ++plane) {
    for (int64_t row = 0; row < dims[2]; ++row) {
      for (int64_t column = 0; column < dims[3]; ++column) {
        written.push_back(column < int64_t{grid.blocks.x} * grid.threads.x &&
                          row < int64_t{grid.blocks.y} * grid.threads.y &&
                          plane < int64_t{grid.blocks.z} * grid.threads.z);
      }
    }
  }
  return written;
}

}  // namespace

TEST_CASE("an element has the coordinates of C order") {
  CHECK(coordinates("`y`", {2, 3, 4, 5}, 0) == "y[0,0,0,0]");
  CHECK(coordinates("`y`", {2, 3, 4, 5}, 119) == "y[1,2,3,4]");
  CHECK(coordinates("b", {7}, 6) == "b[6]");
}

TEST_CASE(
    "an element past the end is too large in the first dimension, or the first that is not 1") {
  CHECK(coordinates("`y`", kImage, 400) == "y[0,0,20,0] or y[1,0,0,0]");
  CHECK(coordinates("`y`", kImage, 399) == "y[0,0,19,19]");
  CHECK(coordinates("`y`", {2, 3, 4, 5}, 120) == "y[2,0,0,0]");
  CHECK(coordinates("`y`", kImage, -1).empty());
  CHECK(coordinates("`y`", {2, 0}, 1).empty());
}

TEST_CASE("the first element past the end may lie a column too far") {
  CHECK(column_too_far("`y`", kImage, 400) == " (or y[0,0,19,20], a column too far)");
  CHECK(column_too_far("`y`", kImage, 401).empty());
  CHECK(column_too_far("`y`", {3, 4, 5, 1}, 60).empty());
  CHECK(column_too_far("b", {7}, 7).empty());
}

TEST_CASE("the dimension in which an element lies past the end is named") {
  CHECK(beyond_dimension("`y`", {2, 3, 4, 5}) == ": y has images 0 to 1 only");
  CHECK(beyond_dimension("`y`", {1, 9, 4, 5}) == ": y has one image and feature maps 0 to 8 only");
  CHECK(beyond_dimension("`x`", {1, 9, 4, 5}) == ": x has one image and channels 0 to 8 only");
  CHECK(beyond_dimension("`x`", kImage) == ": x has one image, one channel and rows 0 to 19 only");
  CHECK(beyond_dimension("`w`", {6, 1, 3, 3}) == ": w has feature maps 0 to 5 only");
  CHECK(beyond_dimension("`c`", {6, 7}) == ": c has rows 0 to 5 only");
  CHECK(beyond_dimension("`b`", {6}).empty());
  CHECK(beyond_dimension("`y`", {1, 1, 1, 1}).empty());
}

TEST_CASE("a thread is beyond an output where the grid only just covers it") {
  const GridShape grid{{2, 2, 1}, {16, 16, 1}};
  CHECK(beyond_text("`y`", kImage, grid, {1, 0, 0}, {4, 0, 0}, 0).find("threads in x") !=
        std::string::npos);
  CHECK(beyond_text("`y`", kImage, grid, {0, 1, 0}, {0, 4, 0}, 0).find("20 rows") !=
        std::string::npos);
  CHECK(beyond_text("`y`", kImage, grid, {1, 0, 0}, {3, 0, 0}, 0).empty());
  // A grid of one block more than necessary counts something else.
  CHECK(beyond_text("`y`", kImage, {{3, 2, 1}, {16, 16, 1}}, {2, 0, 0}, {4, 0, 0}, 0).empty());
  const GridShape row{{4, 1, 1}, {128, 1, 1}};
  CHECK(beyond_text("`y`", kImage, row, {3, 0, 0}, {100, 0, 0}, 0).find("400 elements") !=
        std::string::npos);
  // Of a tensor of one dimension each thread has its own element.
  const GridShape one{{1, 1, 1}, {256, 1, 1}};
  CHECK(beyond_text("`mean`", {4}, one, {0, 0, 0}, {4, 0, 0}, 4).find("256 threads in x") !=
        std::string::npos);
  CHECK(beyond_text("`mean`", {4}, one, {0, 0, 0}, {60, 0, 0}, 4).empty());
}

TEST_CASE("what a grid leaves out is told for the axes that are too short") {
  const std::vector<int64_t> dims = {1, 2, 40, 40};
  const GridShape narrow{{2, 3, 2}, {16, 16, 1}};
  const NotCovered columns = not_covered("`y`", dims, narrow, written_by(dims, narrow));
  CHECK(columns.dimensions == "`y` has 40 columns");
  CHECK(columns.blocks == "In x, 2 blocks of 16 threads cover 32: 3 would cover 40.");
  const GridShape small{{2, 2, 1}, {16, 16, 1}};
  const NotCovered all = not_covered("`y`", dims, small, written_by(dims, small));
  CHECK(all.dimensions == "`y` has 40 columns and 40 rows and 2 planes");
  CHECK(columns.is_rounded_down);
  CHECK_FALSE(all.is_rounded_down);  // one plane is not two, divided by a block
  // Twice as many blocks of rows as are needed: the grid is counted for another block.
  const GridShape turned{{2, 5, 2}, {16, 16, 1}};
  CHECK_FALSE(not_covered("`y`", dims, turned, written_by(dims, turned)).is_rounded_down);
}

TEST_CASE("a row of threads leaves out the last elements") {
  std::vector<bool> written(400, true);
  for (size_t i = 384; i < 400; ++i) written[i] = false;
  const GridShape row{{3, 1, 1}, {128, 1, 1}};
  CHECK(not_covered("`y`", kImage, row, written).dimensions == "`y` has 400 elements");
  written[0] = false;
  CHECK(not_covered("`y`", kImage, row, written).dimensions.empty());
}

TEST_CASE("a block of one row of threads is told apart from a grid with too few blocks") {
  const std::vector<int64_t> dims = {1, 1, 5, 7};
  const GridShape flat{{1, 1, 1}, {1024, 1, 1}};
  const NotCovered rows = not_covered("`y`", dims, flat, written_by(dims, flat));
  CHECK(rows.dimensions == "`y` has 5 rows");
  CHECK(rows.blocks == "In y, 1 block of 1 thread covers 1: 5 would cover 5.");
  CHECK(rows.has_flat_block);
  CHECK(rows.has_enough_threads);
  const GridShape low{{1, 2, 1}, {16, 2, 1}};
  CHECK(not_covered("`y`", dims, low, written_by(dims, low)).has_enough_threads);
  const GridShape less{{1, 2, 1}, {8, 2, 1}};
  CHECK_FALSE(not_covered("`y`", dims, less, written_by(dims, less)).has_enough_threads);
  CHECK_FALSE(not_covered("`y`", dims, low, written_by(dims, low)).has_flat_block);
}

TEST_CASE("a grid that covers the output explains nothing") {
  const GridShape grid{{2, 2, 1}, {16, 16, 1}};
  std::vector<bool> written(400, true);
  written[399] = false;
  CHECK(not_covered("`y`", kImage, grid, written).dimensions.empty());
}

TEST_CASE("what is at the beginning of an axis lies behind the end of the one before") {
  const std::vector<int64_t> dims = {2, 3, 4, 5};
  const auto told = [&](int64_t element) {
    std::string text;
    for (const EndOfAxis& end : ends_before("`y`", dims, element)) {
      text += end.what + " " + std::to_string(end.element) + "/" + std::to_string(end.extent) + " ";
    }
    return text;
  };
  CHECK(told(0) == "");
  CHECK(told(7) == "");
  CHECK(told(5) == "column 4/5 ");
  CHECK(told(20) == "column 19/5 row 15/4 ");
  CHECK(told(22) == "row 17/4 ");
  CHECK(told(120) == "column 119/5 row 115/4 feature map 100/3 image 60/2 ");
  CHECK(ends_before("`t`", {2, 3, 4}, 12).empty());
  CHECK(
      beyond_end_text("The thread", "`y`", dims, ends_before("`y`", dims, 5)[0]) ==
      "The thread also stores y[0,0,0,4], in the last column: where it computes neighbours of one "
      "row or map, none may be stored beyond column 4. ");
}

}  // namespace convkit::simt::check

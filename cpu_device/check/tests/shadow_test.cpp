// SPDX-License-Identifier: MIT
#include "cpu_device/check/shadow.h"

#include <vector>

#include "catch.h"

using namespace convkit::simt::check;

namespace {

uintptr_t address_of(const void* at) {
  return reinterpret_cast<uintptr_t>(at) & ~uintptr_t{15};
}

}  // namespace

TEST_CASE("memory that no kernel has touched has no cells, nor have addresses beyond all memory") {
  CHECK(cell_of(uintptr_t{3} << 45) == nullptr);
  CHECK(cell_of(~uintptr_t{3}) == nullptr);
  CHECK(make_cell(~uintptr_t{3}) == nullptr);
}

TEST_CASE("every four bytes have a cell of their own, and it begins as unknown") {
  std::vector<int> memory(64);
  const uintptr_t at = address_of(&memory[8]);
  Cell* first = make_cell(at);
  REQUIRE(first != nullptr);
  CHECK(first->write == kUnknown);
  CHECK(make_cell(at + 4) == first + 1);
  CHECK(cell_of(at + 40) == first + 10);
}

TEST_CASE("what is forgotten is unknown again, and its neighbours are not") {
  std::vector<int> memory(1 << 16);
  const uintptr_t at = address_of(&memory[64]);
  constexpr size_t kWords = 50000;
  REQUIRE(make_cell(at - 4) != nullptr);
  for (size_t i = 0; i < kWords + 2; ++i) {
    // The array may reach over the border of two windows.
    make_cell(at - 4 + 4 * i)->write = kWritten;
  }
  forget(at, 4 * kWords);
  CHECK(cell_of(at - 4)->write == kWritten);
  CHECK(cell_of(at + 4 * kWords)->write == kWritten);
  size_t known = 0;
  for (size_t i = 0; i < kWords; ++i) known += cell_of(at + 4 * i)->write != kUnknown;
  CHECK(known == 0);
}

TEST_CASE("a split cell has four copies of what it was, until it is made one again") {
  std::vector<int> memory(64);
  Cell* cell = make_cell(address_of(&memory[16]));
  REQUIRE(cell != nullptr);
  *cell = {kWritten, 0};
  Cell* bytes = split(*cell);
  REQUIRE(is_split(cell->write));
  CHECK(split_cells(split_index(cell->write)) == bytes);
  CHECK(bytes[3].write == kWritten);
  const Stamp stamp = event_stamp(7);
  unite(*cell, stamp);
  CHECK(cell->write == stamp);
  CHECK_FALSE(is_split(cell->write));
}

TEST_CASE("an atomic write by several warps is not taken for a split cell") {
  CHECK_FALSE(is_split(kSeveralWarps | kAtomic | event_stamp(kFirstEvent)));
  CHECK(is_split(split_at(12345)));
  CHECK(split_index(split_at(12345)) == 12345);
}

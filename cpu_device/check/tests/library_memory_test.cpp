// SPDX-License-Identifier: MIT
#include "cpu_device/check/library_memory.h"

#include "catch.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/written.h"

using namespace convkit::simt::check;

namespace {

constexpr Stamp kByAKernel = event_stamp(kFirstEvent);

// Each test works on addresses of its own.
uintptr_t fresh() {
  static uintptr_t next = uintptr_t{1} << 28;
  return next += 1 << 20;
}

void kernel_writes(uintptr_t word) {
  make_cell(word)->write = kByAKernel;
}

}  // namespace

TEST_CASE("what copies and kernels have written together is written") {
  const uintptr_t at = fresh();
  CHECK(first_unwritten(at, at + 64) == at);
  CHECK(first_unwritten(at, at) == at);
  mark_written(at, 16);
  CHECK(first_unwritten(at, at + 64) == at + 16);
  kernel_writes(at + 16);
  kernel_writes(at + 20);
  CHECK(first_unwritten(at, at + 64) == at + 24);
  mark_written(at + 24, 40);
  CHECK(first_unwritten(at, at + 64) == at + 64);
  CHECK(first_unwritten(at, at + 65) == at + 64);
  CHECK(first_unwritten(at + 3, at + 61) == at + 61);
}

TEST_CASE("a gap between two copies is found") {
  const uintptr_t at = fresh();
  mark_written(at, 8);
  mark_written(at + 12, 8);
  CHECK(first_unwritten(at, at + 20) == at + 8);
  CHECK(first_unwritten(at + 12, at + 20) == at + 20);
}

TEST_CASE("a half that was never written is found beside one that was") {
  const uintptr_t at = fresh();
  Cell* cell = make_cell(at);
  cell->write = kUnwritten;
  Cell* bytes = split(*cell);
  bytes[0].write = bytes[1].write = kByAKernel;
  CHECK(first_unwritten(at, at + 4) == at + 2);
  bytes[2].write = bytes[3].write = kByAKernel;
  CHECK(first_unwritten(at, at + 4) == at + 4);
}

TEST_CASE("a cell that a kernel only looked at is not written") {
  const uintptr_t at = fresh();
  make_cell(at)->write = kUnwritten;
  CHECK(first_unwritten(at, at + 4) == at);
}

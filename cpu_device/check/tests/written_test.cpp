// SPDX-License-Identifier: MIT
#include "cpu_device/check/written.h"

#include <utility>
#include <vector>

#include "catch.h"

using namespace convkit::simt::check;

namespace {

using Ranges = std::vector<std::pair<uintptr_t, uintptr_t>>;

Ranges written_between(uintptr_t begin, uintptr_t end) {
  Ranges ranges;
  for_each_written(begin, end,
                   [&](uintptr_t first, uintptr_t last) { ranges.emplace_back(first, last); });
  return ranges;
}

// Each test works on addresses of its own.
uintptr_t unwritten_range() {
  static uintptr_t next = 1 << 20;
  return next += 1 << 20;
}

}  // namespace

TEST_CASE("ranges that overlap or touch become one") {
  const uintptr_t at = unwritten_range();
  mark_written(at + 100, 50);
  mark_written(at + 200, 50);
  mark_written(at + 150, 10);
  CHECK(written_between(at, at + 1000) == Ranges{{at + 100, at + 160}, {at + 200, at + 250}});
  mark_written(at + 90, 200);
  CHECK(written_between(at, at + 1000) == Ranges{{at + 90, at + 290}});
}

TEST_CASE("nothing is written by a copy of no bytes") {
  const uintptr_t at = unwritten_range();
  mark_written(at, 0);
  CHECK_FALSE(is_written(at));
}

TEST_CASE("a range ends before its end") {
  const uintptr_t at = unwritten_range();
  mark_written(at, 10);
  CHECK(is_written(at));
  CHECK(is_written(at + 9));
  CHECK_FALSE(is_written(at + 10));
}

TEST_CASE("forgetting the middle of a range keeps both sides") {
  const uintptr_t at = unwritten_range();
  mark_written(at, 100);
  forget_written(at + 40, 20);
  CHECK(written_between(at, at + 1000) == Ranges{{at, at + 40}, {at + 60, at + 100}});
  forget_written(at, 1000);
  CHECK(written_between(at, at + 1000).empty());
}

TEST_CASE("only the part that was asked for is reported") {
  const uintptr_t at = unwritten_range();
  mark_written(at, 100);
  CHECK(written_between(at + 30, at + 50) == Ranges{{at + 30, at + 50}});
}

// SPDX-License-Identifier: MIT
#include "cpu_device/check/places.h"

#include "catch.h"

using namespace convkit::simt::check;

namespace {

bool holds(const SharedHull& hull, uintptr_t at) {
  return at - hull.begin < hull.bytes;
}

}  // namespace

TEST_CASE("static arrays between the dynamic one and the thread's own data are one with it") {
  // As on x86-64: the engine's variables, its dynamic array, the program's arrays, the thread.
  const SharedHull hull = hull_of({{0x1100, 0x800}, {{0x2000, 0x40}}, {0x1048, 0x1080}, 0x3000});
  CHECK(hull.begin == 0x1100);
  CHECK(hull.begin + hull.bytes == 0x2040);
  CHECK_FALSE(hull.more_elsewhere);
  CHECK_FALSE(holds(hull, 0x1080));
}

TEST_CASE(
    "threadIdx is no shared memory where it lies between a static array and the dynamic one") {
  // As on arm64: the thread, the program's arrays, the engine's variables, its dynamic array.
  const SharedHull hull = hull_of({{0x1100, 0x800}, {{0x1000, 0x24}}, {0x1048, 0x1080}, 0x800});
  CHECK_FALSE(holds(hull, 0x1048));
  CHECK_FALSE(holds(hull, 0x1080));
  CHECK(holds(hull, 0x1100));
  CHECK(hull.more_elsewhere);
}

TEST_CASE(
    "a static array beyond the thread's own data is elsewhere, and the others stay together") {
  const SharedHull hull =
      hull_of({{0x1100, 0x800}, {{0x9000, 0x40}, {0x2000, 0x40}}, {0x1048}, 0x3000});
  CHECK(hull.begin == 0x1100);
  CHECK(hull.begin + hull.bytes == 0x2040);
  CHECK(hull.more_elsewhere);
}

// SPDX-License-Identifier: MIT
#include "cpu_device/profile/sector_set.h"

#include "catch.h"

namespace convkit::simt::profile {
namespace {

Request apart(uintptr_t begin, unsigned stride, unsigned bytes) {
  Request request;
  for (unsigned lane = 0; lane < kLanes; ++lane) request.add(lane, begin + lane * stride, bytes);
  return request;
}

}  // namespace

TEST_CASE("a sector counts once, however often it is accessed") {
  SectorSet set;
  set.add(apart(0x10000, 4, 4));   // 4 sectors
  set.add(apart(0x10000, 4, 4));   // the same
  set.add(apart(0x10040, 4, 4));   // 2 of them, and 2 more
  set.add(apart(0x80000, 64, 8));  // 32 others
  CHECK(set.take() == 4 + 2 + 32);
  CHECK(set.take() == 0);
}

TEST_CASE("an access beyond the end of a sector takes the next one, too") {
  SectorSet set;
  Request request;
  request.add(3, 0x1001c, 8);
  set.add(request);
  CHECK(set.take() == 2);
}

TEST_CASE("lanes that take no part touch nothing") {
  SectorSet set;
  set.add(Request{});
  CHECK(set.take() == 0);
}

}  // namespace convkit::simt::profile

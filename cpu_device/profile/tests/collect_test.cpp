// SPDX-License-Identifier: MIT
#include "cpu_device/profile/collect.h"

#include "catch.h"

namespace convkit::simt::profile {
namespace {

constexpr uintptr_t kBase = 0x10000;
constexpr Instruction kLoad{1, Kind::global_load};

Sums only(Collector& collector, uint64_t expected_left_out = 0) {
  uint64_t left_out = 0;
  const auto taken = collector.take(left_out);
  CHECK(left_out == expected_left_out);
  REQUIRE(taken.size() == 1);
  return taken.begin()->second;
}

}  // namespace

TEST_CASE("lanes that run one after the other are one request of their warp") {
  Collector collector;
  collector.begin_block(64);
  for (unsigned thread = 0; thread < 64; ++thread) {
    collector.access(thread, kLoad, 0, kBase + 4 * thread, 4);
  }
  const Sums sums = only(collector);
  CHECK(sums.requests == 2);
  CHECK(sums.lanes == 64);
  CHECK(sums.possible_lanes == 64);
  CHECK(sums.sectors == 8);
}

TEST_CASE("a block's last warp may have fewer lanes, and none of them is idle") {
  Collector collector;
  collector.begin_block(40);
  for (unsigned thread = 0; thread < 40; ++thread) {
    collector.access(thread, kLoad, 0, kBase + 4 * thread, 4);
  }
  CHECK(only(collector).possible_lanes == 40);
}

TEST_CASE("the two sides of a branch are two requests of half the lanes") {
  Collector collector;
  collector.begin_block(32);
  for (unsigned thread = 0; thread < 32; ++thread) {
    collector.access(thread, {thread < 16 ? 1u : 2u, Kind::global_load}, 0, kBase + 4 * thread, 4);
  }
  uint64_t left_out = 0;
  const auto taken = collector.take(left_out);
  REQUIRE(taken.size() == 2);
  for (const auto& [instruction, sums] : taken) {
    CHECK(sums.requests == 1);
    CHECK(sums.lanes == 16);
    CHECK(sums.possible_lanes == 32);
    CHECK(sums.sectors == 2);
  }
}

TEST_CASE("lanes with other trip counts stay aligned") {
  Collector collector;
  collector.begin_block(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i <= lane; ++i) {
      collector.access(lane, kLoad, 0, kBase + 4096 * i + 4 * lane, 4);
    }
  }
  const Sums sums = only(collector);
  CHECK(sums.requests == 32);
  CHECK(sums.lanes == 33 * 16);
  // The last lanes of a row of 128 bytes: 32, 31, ..., 1 of them.
  CHECK(sums.sectors == 8 * (4 + 3 + 2 + 1));
}

TEST_CASE("lanes that skip turns of a loop, or come to its turns in another order, stay aligned") {
  Collector collector;
  collector.begin_block(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned turn = lane < 16 ? i : 7 - i;
      if (turn % 4 == lane % 4) continue;
      collector.access(lane, kLoad, 100 + turn, kBase + 4096 * turn + 4 * lane, 4);
    }
  }
  const Sums sums = only(collector);
  CHECK(sums.requests == 8);
  CHECK(sums.lanes == 8 * 24);
  CHECK(sums.sectors == 8 * 4);
}

TEST_CASE("in the same turn, the n-th executions belong together") {
  Collector collector;
  collector.begin_block(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (const uint64_t turn : {7u, 8u, 7u, 7u}) {
      collector.access(lane, kLoad, turn, kBase + 4 * lane, 4);
    }
    // Some have two more, with one of another turn between.
    if (lane % 2 == 0) continue;
    for (const uint64_t turn : {7u, 9u, 7u}) {
      collector.access(lane, kLoad, turn, kBase + 4 * lane, 4);
    }
  }
  const Sums sums = only(collector);
  CHECK(sums.requests == 7);
  CHECK(sums.lanes == 4 * 32 + 3 * 16);
}

TEST_CASE("where a warp meets, its lanes are aligned anew, and other warps are not") {
  Collector collector;
  collector.begin_block(64);
  // Lane 0 makes an access more before the meeting.
  collector.access(0, kLoad, 0, kBase, 4);
  collector.access(32, kLoad, 0, kBase, 4);
  collector.warp_meets(0);
  for (unsigned lane = 0; lane < 32; ++lane) collector.access(lane, kLoad, 0, kBase + 4 * lane, 4);
  collector.access(33, kLoad, 0, kBase, 4);
  const Sums sums = only(collector);
  CHECK(sums.requests == 3);
  CHECK(sums.lanes == 35);
}

TEST_CASE("the address that most atomic operations use is found over all warps") {
  Collector collector;
  for (unsigned block = 0; block < 3; ++block) {
    collector.begin_block(32);
    for (unsigned lane = 0; lane < 32; ++lane) {
      collector.access(lane, {1, Kind::global_atomic}, 0, kBase + 4 * (lane % 2), 4);
    }
  }
  const Sums sums = only(collector);
  CHECK(sums.requests == 3);
  CHECK(sums.addresses == 6);
  CHECK(sums.passes == 48);
  CHECK(sums.hottest == 48);
}

TEST_CASE("memory is bounded: warps that have passed are counted early, with the same result") {
  const auto counted = [](Collector& collector) {
    collector.begin_block(256);
    for (unsigned thread = 0; thread < 256; ++thread) {
      for (unsigned i = 0; i < 10; ++i) {
        collector.access(thread, kLoad, 0, kBase + 4096 * i + 4 * thread, 4);
      }
    }
    return only(collector);
  };
  Collector usual, small(4);
  const Sums a = counted(usual), b = counted(small);
  CHECK(a.requests == 80);
  CHECK(a.requests == b.requests);
  CHECK(a.sectors == b.sectors);
}

TEST_CASE("memory is bounded: what one warp does beyond its share is left out, and told") {
  Collector collector(4, 8);
  collector.begin_block(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 10; ++i) collector.access(lane, kLoad, 0, kBase + 4 * lane, 4);
  }
  CHECK(only(collector, 64).requests == 8);
}

}  // namespace convkit::simt::profile

// SPDX-License-Identifier: MIT
#include "cpu_device/profile/groups.h"

#include "catch.h"

namespace convkit::simt::profile {
namespace {

constexpr uintptr_t kBase = 0x10000;

// One instruction by 32 lanes, `stride` bytes apart.
std::vector<LaneAccess> strided(unsigned stride, unsigned size = 4) {
  std::vector<LaneAccess> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) lanes.push_back({lane, kBase + lane * stride, size});
  return lanes;
}

const Line& only(const Groups& groups) {
  REQUIRE(groups.sites().size() == 1);
  return groups.sites().begin()->second;
}

}  // namespace

TEST_CASE("Neighbouring floats take four sectors, and all their bytes are used") {
  const GlobalCost cost = global_cost(strided(4));
  CHECK(cost.sectors == 4);
  CHECK(cost.bytes_used == 128);
  CHECK(cost.bytes_moved == 128);
}

TEST_CASE("A row of floats that begins within a sector takes one sector more") {
  std::vector<LaneAccess> lanes = strided(4);
  for (LaneAccess& lane : lanes) lane.at += 4;
  CHECK(global_cost(lanes).sectors == 5);
}

TEST_CASE("Every second float takes eight sectors, a column 32, one place for all lanes one") {
  CHECK(global_cost(strided(8)).sectors == 8);
  CHECK(global_cost(strided(4096)).sectors == 32);
  CHECK(global_cost(strided(0)).sectors == 1);
  CHECK(global_cost(strided(0)).bytes_used == 4);
  CHECK(global_cost(strided(16, 16)).sectors == 16);
}

TEST_CASE("A column of a shared tile takes 32 wavefronts, and one where rows have 33 floats") {
  CHECK(shared_cost(strided(4)).wavefronts == 1);
  CHECK(shared_cost(strided(32 * 4)).wavefronts == 32);
  CHECK(shared_cost(strided(32 * 4)).conflicts == 31);
  CHECK(shared_cost(strided(33 * 4)).wavefronts == 1);
  CHECK(shared_cost(strided(8)).wavefronts == 2);
  CHECK(shared_cost(strided(0)).wavefronts == 1);
}

TEST_CASE("Wide shared accesses take two or four phases without a conflict") {
  CHECK(shared_cost(strided(8, 8)).wavefronts == 2);
  CHECK(shared_cost(strided(8, 8)).conflicts == 0);
  CHECK(shared_cost(strided(16, 16)).wavefronts == 4);
  CHECK(shared_cost(strided(16, 16)).conflicts == 0);
}

TEST_CASE("Atomics tell how many lanes share an address") {
  CHECK(atomic_cost(strided(0)).contention == 32);
  CHECK(atomic_cost(strided(0)).addresses == 1);
  CHECK(atomic_cost(strided(4)).contention == 1);
  CHECK(atomic_cost(strided(4)).addresses == 32);
}

TEST_CASE("Lanes that run one after the other are one request of their warp") {
  Groups groups;
  for (unsigned thread = 0; thread < 64; ++thread) {
    groups.record(1, Use::global_load, thread, kBase + 4 * thread, 4);
  }
  groups.meet();
  CHECK(only(groups).requests == 2);
  CHECK(only(groups).lanes == 64);
  CHECK(only(groups).global.sectors == 8);
}

TEST_CASE("Two halves of a warp at two instructions are two requests of 16 lanes") {
  Groups groups;
  for (unsigned thread = 0; thread < 32; ++thread) {
    groups.record(thread < 16 ? 1 : 2, Use::global_load, thread, kBase + 4 * thread, 4);
  }
  groups.meet();
  REQUIRE(groups.sites().size() == 2);
  for (const auto& [site, line] : groups.sites()) {
    CHECK(line.requests == 1);
    CHECK(line.lanes == 16);
    CHECK(line.global.sectors == 2);
  }
}

TEST_CASE("Lanes with other trip counts stay aligned") {
  Groups groups;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i <= lane; ++i) {
      groups.record(1, Use::global_load, lane, kBase + 4096 * i + 4 * lane, 4);
    }
  }
  groups.meet();
  CHECK(only(groups).requests == 32);
  CHECK(only(groups).lanes == 33 * 16);
  // The last lanes of a row of 128 bytes: 32, 31, ..., 1 of them.
  CHECK(only(groups).global.sectors == 8 * (4 + 3 + 2 + 1));
}

TEST_CASE("Where a warp meets, its lanes are aligned anew, and other warps are not") {
  Groups groups;
  // Lane 0 makes an access more before the meeting.
  groups.record(1, Use::shared_load, 0, kBase, 4);
  groups.record(1, Use::shared_load, 32, kBase, 4);
  groups.meet(0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    groups.record(1, Use::shared_load, lane, kBase + 4 * lane, 4);
  }
  groups.record(1, Use::shared_load, 33, kBase, 4);
  groups.meet();
  CHECK(only(groups).requests == 3);
  CHECK(only(groups).lanes == 35);
}

TEST_CASE("Atomics of one address wait for each other, and those of a warp are one request") {
  Groups groups;
  for (unsigned lane = 0; lane < 32; ++lane) groups.record(1, Use::atomic, lane, kBase, 4);
  groups.meet();
  CHECK(only(groups).requests == 1);
  CHECK(only(groups).contention == 32);
  groups.clear();
  CHECK(groups.sites().empty());
}

}  // namespace convkit::simt::profile

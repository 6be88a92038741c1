// SPDX-License-Identifier: MIT
#include "cpu_device/profile/requests.h"

#include "catch.h"

namespace convkit::simt::profile {
namespace {

// The lanes [0, lanes), `stride` bytes apart.
Request strided(unsigned stride, unsigned bytes = 4, unsigned lanes = 32, unsigned offset = 0) {
  Request request;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    request.add(lane, 0x10000 + offset + lane * stride, bytes);
  }
  return request;
}

}  // namespace

TEST_CASE("neighbouring floats take four sectors, and all their bytes are used") {
  const GlobalCost cost = global_cost(strided(4));
  CHECK(cost.sectors == 4);
  CHECK(cost.ideal_sectors == 4);
  CHECK(cost.used_bytes == 128);
}

TEST_CASE("a row of floats that begins within a sector takes one sector more") {
  CHECK(global_cost(strided(4, 4, 32, 4)).sectors == 5);
}

TEST_CASE("every second float takes eight sectors, a column 32, one place for all lanes one") {
  CHECK(global_cost(strided(8)).sectors == 8);
  CHECK(global_cost(strided(8)).ideal_sectors == 4);
  CHECK(global_cost(strided(4096)).sectors == 32);
  CHECK(global_cost(strided(4096)).used_bytes == 128);
  CHECK(global_cost(strided(0)).sectors == 1);
  CHECK(global_cost(strided(0)).ideal_sectors == 1);
  CHECK(global_cost(strided(0)).used_bytes == 4);
}

TEST_CASE("half of the lanes take half of the sectors, and float4 four times as many") {
  CHECK(global_cost(strided(4, 4, 16)).sectors == 2);
  CHECK(global_cost(strided(16, 16)).sectors == 16);
  CHECK(global_cost(strided(16, 16)).ideal_sectors == 16);
}

TEST_CASE("an access across the end of a sector takes two") {
  CHECK(global_cost(strided(0, 8, 1, 28)).sectors == 2);
  CHECK(global_cost(strided(0, 8, 1, 28)).used_bytes == 8);
}

TEST_CASE("constant memory gives one word at a time, to all lanes that load it") {
  CHECK(words_loaded(strided(0)) == 1);
  CHECK(words_loaded(strided(4)) == 32);
  CHECK(words_loaded(strided(1, 1)) == 8);
  CHECK(words_loaded(strided(0, 8)) == 2);
}

TEST_CASE("a column of a shared tile takes 32 wavefronts, and one where rows have 33 floats") {
  CHECK(shared_cost(strided(4)).wavefronts == 1);
  CHECK(shared_cost(strided(4)).conflicts == 0);
  CHECK(shared_cost(strided(32 * 4)).wavefronts == 32);
  CHECK(shared_cost(strided(32 * 4)).conflicts == 31);
  CHECK(shared_cost(strided(33 * 4)).wavefronts == 1);
  CHECK(shared_cost(strided(8)).wavefronts == 2);
  CHECK(shared_cost(strided(32 * 4, 4, 16)).wavefronts == 16);
}

TEST_CASE("lanes that read one word, or parts of it, are served together") {
  CHECK(shared_cost(strided(0)).wavefronts == 1);
  CHECK(shared_cost(strided(1, 1)).wavefronts == 1);
}

TEST_CASE("wide shared accesses take two or four phases, which are no conflicts") {
  CHECK(shared_cost(strided(8, 8)).wavefronts == 2);
  CHECK(shared_cost(strided(8, 8)).conflicts == 0);
  CHECK(shared_cost(strided(8, 8, 16)).wavefronts == 1);
  CHECK(shared_cost(strided(16, 16)).wavefronts == 4);
  CHECK(shared_cost(strided(16, 16)).conflicts == 0);
  CHECK(shared_cost(strided(16, 8)).wavefronts == 4);
  CHECK(shared_cost(strided(16, 8)).conflicts == 2);
}

TEST_CASE("phases of wide accesses become one where lanes share addresses in pairs") {
  CHECK(shared_cost(strided(0, 8)).wavefronts == 1);
  CHECK(shared_cost(strided(0, 16)).wavefronts == 2);
  const auto repeated = [](auto place) {
    Request request;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      request.add(lane, 0x10000 + 16 * place(lane), 16);
    return shared_cost(request).wavefronts;
  };
  CHECK(repeated([](unsigned lane) { return lane / 2; }) == 2);
  CHECK(repeated([](unsigned lane) { return lane / 4 * 2 + lane % 2; }) == 2);
  CHECK(repeated([](unsigned lane) { return lane % 8; }) == 4);
}

TEST_CASE("atomics tell how many lanes share an address") {
  CHECK(atomic_cost(strided(0)).addresses == 1);
  CHECK(atomic_cost(strided(0)).passes == 32);
  CHECK(atomic_cost(strided(4)).addresses == 32);
  CHECK(atomic_cost(strided(4)).passes == 1);
}

TEST_CASE("which lane has which address does not matter") {
  for (const unsigned stride : {0u, 4u, 8u, 16u, 132u}) {
    for (const unsigned bytes : {4u, 8u, 16u}) {
      for (const unsigned lanes : {1u, 7u, 32u}) {
        const Request forward = strided(stride, bytes, lanes, 20);
        Request backward;  // through the general way
        for (unsigned lane = 0; lane < lanes; ++lane) {
          backward.add(lanes - 1 - lane, forward.address[lane], bytes);
        }
        INFO("stride " << stride << ", " << bytes << " bytes, " << lanes << " lanes");
        CHECK(global_cost(forward).sectors == global_cost(backward).sectors);
        CHECK(global_cost(forward).used_bytes == global_cost(backward).used_bytes);
        CHECK(global_cost(forward).ideal_sectors == global_cost(backward).ideal_sectors);
        if (bytes == 4) {
          CHECK(shared_cost(forward).wavefronts == shared_cost(backward).wavefronts);
        }
      }
    }
  }
}

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

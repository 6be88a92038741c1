// SPDX-License-Identifier: MIT
#include "cpu_device/check/order.h"

#include "catch.h"
#include "kernel_scene.h"

using namespace convkit::simt::check;
using test::KernelScene;

namespace {

constexpr uintptr_t kCounter = 4096, kFlag = 8192;

}  // namespace

TEST_CASE("lanes of a warp are in no order until they meet") {
  KernelScene scene;
  const Stamp earlier = scene.access(3);
  scene.run(5);
  CHECK_FALSE(met_in_warp(earlier));
  warp_met(0, ~0u, true);
  CHECK(met_in_warp(earlier));
}

TEST_CASE("a meeting says nothing of what comes after it, nor of other warps") {
  KernelScene scene;
  const Stamp before = scene.access(40);
  warp_met(0, ~0u, true);
  const Stamp after = scene.access(3);
  scene.run(5);
  CHECK_FALSE(met_in_warp(before));
  CHECK_FALSE(met_in_warp(after));
}

TEST_CASE("a meeting of some lanes orders only those, and what they learned before") {
  KernelScene scene;
  const Stamp by_0 = scene.access(0), by_9 = scene.access(9);
  warp_met(0, 0b11, false);
  warp_met(0, 0b110, false);
  scene.run(2);
  CHECK(met_in_warp(by_0));  // by way of lane 1
  CHECK_FALSE(met_in_warp(by_9));
}

TEST_CASE("of several lanes that read, the one that is remembered must have met the running one") {
  KernelScene scene;
  const Stamp several = scene.access(1) | kSeveralLanes;
  warp_met(0, 0b1001, false);
  scene.run(3);
  CHECK_FALSE(met_in_warp(several));
  warp_met(0, 0b1010, false);
  CHECK(met_in_warp(several));
}

TEST_CASE("a fence and an atomic hand on what the thread did, to whoever reads the word next") {
  KernelScene scene;
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kCounter, true, true);
  begin_block({1, 0, 0});
  scene.run(0);
  CHECK_FALSE(handed_on(data));
  atomic_access(kCounter, true, true);
  CHECK(handed_on(data));
  scene.run(33);
  CHECK_FALSE(handed_on(data));  // thread 0 has not told it yet
  open_barrier();
  CHECK(handed_on(data));
}

TEST_CASE("without a fence nothing is handed on") {
  KernelScene scene;
  const Stamp data = scene.access(0);
  atomic_access(kCounter, true, true);
  begin_block({1, 0, 0});
  atomic_access(kCounter, true, true);
  CHECK_FALSE(handed_on(data));
}

TEST_CASE("a fence comes after the accesses before it") {
  KernelScene scene;
  const Stamp before = scene.access(0);
  CHECK_FALSE(fenced_since(before));
  fenced();
  CHECK(fenced_since(before));
  CHECK_FALSE(fenced_since(scene.access(0)));
}

TEST_CASE("what another thread did is handed on only after a barrier with it") {
  KernelScene scene;
  const bool barrier = GENERATE(false, true);
  const Stamp data = scene.access(70);
  if (barrier) open_barrier();
  scene.run(0);
  fenced();
  atomic_access(kCounter, true, true);
  begin_block({1, 0, 0});
  atomic_access(kCounter, true, true);
  CHECK(handed_on(data) == barrier);
}

TEST_CASE("what is written after the fence is not handed on") {
  KernelScene scene;
  fenced();
  const Stamp data = scene.access(0);
  atomic_access(kCounter, true, true);
  begin_block({1, 0, 0});
  atomic_access(kCounter, true, true);
  CHECK_FALSE(handed_on(data));
}

TEST_CASE("a chain of blocks hands on the first one's data to the last") {
  KernelScene scene;
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kCounter, false, true);
  begin_block({1, 0, 0});
  atomic_access(kCounter, true, false);
  fenced();
  atomic_access(kFlag, false, true);
  begin_block({2, 0, 0});
  atomic_access(kFlag, true, false);
  CHECK(handed_on(data));
  CHECK(knows_other_blocks());
}

TEST_CASE("an event tells which block ran") {
  KernelScene scene;
  begin_block({5, 6, 7});
  const BlockAt block = block_at(event_of(present.now));
  CHECK(block.known);
  CHECK(block.index.x == 5);
  CHECK(block.index.z == 7);
  CHECK(block.first_event == event_of(present.block_floor));
}

TEST_CASE("a block that goes on after others knows its own accesses from theirs") {
  KernelScene scene;
  const uint3 first{0, 0, 0}, second{1, 0, 0};
  const Stamp before_barrier = scene.access(3);
  open_barrier();
  const Stamp own = scene.access(3), barrier_floor = present.barrier_floor;
  leave_block();
  begin_block(second);
  const Stamp other = scene.access(3);
  resume_block(first);
  CHECK(is_of_running_block(before_barrier & kEventMask));
  CHECK(is_of_running_block(own & kEventMask));
  CHECK_FALSE(is_of_running_block(other & kEventMask));
  CHECK(is_of_running_block(present.now));
  CHECK(present.barrier_floor == barrier_floor);
  CHECK(block_at(event_of(own)).index.x == 0);
  CHECK(block_at(event_of(other)).index.x == 1);
  CHECK(block_at(event_of(present.now)).index.x == 0);
}

TEST_CASE("what a block hands on is not what others did while it waited") {
  KernelScene scene;
  const Stamp own = scene.access(0);
  leave_block();
  begin_block({1, 0, 0});
  const Stamp other = scene.access(0);
  resume_block({0, 0, 0});
  scene.run(0);
  fenced();
  atomic_access(kCounter, true, true);
  begin_block({2, 0, 0});
  scene.run(0);
  atomic_access(kCounter, true, true);
  CHECK(handed_on(own));
  CHECK_FALSE(handed_on(other));
}

TEST_CASE("a barrier of the grid comes after all that was done before, and shared memory stays") {
  KernelScene scene;
  const Stamp shared_floor = present.shared_floor;
  const Stamp before = scene.access(0);
  leave_block();
  meet_grid();
  resume_block({0, 0, 0});
  CHECK((before & kEventMask) < present.launch_floor);
  CHECK(present.launch_floor == present.ordered_floor);
  CHECK(present.barrier_floor > present.launch_floor);
  CHECK(present.shared_floor == shared_floor);
  CHECK_FALSE(present.in_pieces);
}

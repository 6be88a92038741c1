// SPDX-License-Identifier: MIT
#include "cpu_device/check/order.h"

#include "catch.h"
#include "kernel_scene.h"
#include "simt/atomic_operations.h"

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

TEST_CASE("a fence or an atomic for a block hands on within that block only") {
  KernelScene scene;
  const bool wide_fence = GENERATE(false, true), wide_atomic = GENERATE(false, true);
  const Stamp data = scene.access(0);
  fenced(wide_fence);
  atomic_access(kCounter, true, true, wide_atomic ? 0u : convkit::simt::kAtomicOfBlock);
  scene.run(40);
  atomic_access(kCounter, true, true);
  CHECK(handed_on(data));
  begin_block({1, 0, 0});
  scene.run(0);
  atomic_access(kCounter, true, false);
  CHECK(handed_on(data) == (wide_fence && wide_atomic));
  if (!handed_on(data)) CHECK(missing_for(data) == Missing::device_scope);
}

TEST_CASE("the fence of another thread does not hand on, unless a barrier comes before it") {
  KernelScene scene;
  const bool barrier = GENERATE(false, true);
  const Stamp data = scene.access(0);
  if (barrier) open_barrier();
  scene.run(70);
  fenced();
  scene.run(barrier ? 70 : 0);
  atomic_access(kCounter, true, true);
  begin_block({1, 0, 0});
  atomic_access(kCounter, true, true);
  CHECK(handed_on(data) == barrier);
}

TEST_CASE("who takes a lock knows what was done under it from its next fence on") {
  KernelScene scene;
  compared(kFlag, true);
  fenced();
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kFlag, true, true);
  begin_block({1, 0, 0});
  const bool acquires = GENERATE(false, true);
  compared(kFlag, true, acquires ? convkit::simt::kAtomicAcquires : 0u);
  CHECK(handed_on(data) == acquires);
  if (!acquires) CHECK(missing_for(data) == Missing::fence_of_lock);
  fenced();
  CHECK(handed_on(data));
}

TEST_CASE("a lock does not order what its holder did before a fence") {
  KernelScene scene;
  compared(kFlag, true);
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kFlag, true, true);
  begin_block({1, 0, 0});
  compared(kFlag, true);
  fenced();
  CHECK_FALSE(handed_on(data));
  CHECK(missing_for(data) == Missing::fence_of_lock);
}

TEST_CASE("a lock is held from the fence behind taking it until it is given back") {
  KernelScene scene;
  for (const bool known : {false, true}) {
    compared(kFlag, true);
    CHECK_FALSE(holds_lock(0, false));
    fenced();
    CHECK(holds_lock(0, false));
    CHECK(holds_lock(0, true) == known);
    CHECK_FALSE(holds_lock(kFlag, false));
    atomic_access(kFlag, true, true);
    CHECK_FALSE(holds_lock(0, false));
    CHECK(is_lock(kFlag));
  }
}

TEST_CASE("a compare-and-swap that changes nothing waits like any other look") {
  KernelScene scene;
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kFlag, true, true);
  begin_block({1, 0, 0});
  compared(kFlag, false);
  CHECK(handed_on(data));
}

TEST_CASE("a relaxed look knows what was handed on from its next fence on") {
  KernelScene scene;
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kFlag, true, true);
  begin_block({1, 0, 0});
  for (int poll = 0; poll < 3; ++poll) {
    atomic_access(kFlag, true, false, convkit::simt::kAtomicRelaxed);
  }
  CHECK_FALSE(handed_on(data));
  fenced();
  CHECK(handed_on(data));
}

TEST_CASE("what comes behind telling of it was not handed on, whoever has waited") {
  KernelScene scene;
  fenced();
  atomic_access(kFlag, true, true);
  const Stamp late = scene.access(0);
  CHECK_FALSE(came_after_handing_on(late));
  block_is_over();
  begin_block({1, 0, 0});
  CHECK_FALSE(came_after_handing_on(late));
  atomic_access(kFlag, true, false);
  CHECK(came_after_handing_on(late));
  CHECK_FALSE(handed_on(late));
}

TEST_CASE("events run out while threads wait, and nothing breaks") {
  KernelScene scene;
  fenced();
  while (event_of(present.now) < kMostEvents - 20) next_event();
  for (unsigned i = 0; i < 40; ++i) {
    scene.run(i % 2);  // a release by another thread than the last one is news
    if (i % 3 == 0) compared(kFlag, true);
    if (!knows_by_other_means()) fenced();
    atomic_access(kCounter, true, true);
  }
  const Stamp data = scene.access(0);
  fenced();
  atomic_access(kCounter, true, true);
  scene.run(1);
  atomic_access(kCounter, true, true);
  CHECK(handed_on(data));
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

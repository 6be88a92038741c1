// SPDX-License-Identifier: MIT
#include "cpu_device/check/quick.h"

#include "catch.h"
#include "kernel_scene.h"

using namespace convkit::simt::check;
using test::KernelScene;

TEST_CASE("a read is known if the same thread has read since the last event") {
  KernelScene scene;
  const Stamp read = scene.access(7);
  CHECK(is_known_read(read));
  scene.run(8);
  CHECK_FALSE(is_known_read(read));
  CHECK(is_known_read(read | kSeveralLanes));
  scene.run(40);
  CHECK_FALSE(is_known_read(read | kSeveralLanes));
  CHECK(is_known_read(read | kSeveralWarps));
}

TEST_CASE("after a barrier no read is known, and outside kernels none is") {
  Stamp read = 0;
  {
    KernelScene scene;
    read = scene.access(7);
    open_barrier();
    CHECK_FALSE(is_known_read(read));
    CHECK_FALSE(is_known_read(read | kSeveralWarps));
    read = scene.access(7);
  }
  CHECK_FALSE(is_known_read(read));
  CHECK_FALSE(is_known_read(read | kSeveralWarps));
  CHECK_FALSE(is_known_read(0));
}

TEST_CASE("nothing is known while the next access is awaited") {
  KernelScene scene;
  const Stamp read = scene.access(0);
  look_closely(kForOverruns, true);
  look_closely(kForSuspects, true);
  look_closely(kForOverruns, false);
  CHECK_FALSE(is_known_read(read));
  look_closely(kForSuspects, false);
  CHECK(is_known_read(read));
}

TEST_CASE("reads of one warp and of several are told apart, and the first lane is remembered") {
  KernelScene scene;
  const Stamp first = scene.access(2);
  const Stamp two = together(first, scene.access(4), true);
  CHECK((two & kSeveralLanes) != 0);
  CHECK((two & kSeveralWarps) == 0);
  CHECK(thread_of(two) == 2);
  CHECK((together(two, scene.access(64), true) & kSeveralWarps) != 0);
}

TEST_CASE("who reads what other blocks have read is not alone") {
  KernelScene scene;
  const Stamp other = scene.access(0);
  begin_block({1, 0, 0});
  const Stamp self = scene.access(0);
  CHECK(by_running_thread_alone(self, self));
  CHECK_FALSE(by_running_thread_alone(together(other, self, false), self));
}

TEST_CASE("reads before the last barrier no longer count") {
  KernelScene scene;
  const Stamp first = scene.access(2);
  open_barrier();
  const Stamp next = scene.access(4);
  CHECK(together(first, next, true) == next);
}

TEST_CASE("global memory remembers that other blocks were there, shared memory does not") {
  KernelScene scene;
  const Stamp first = scene.access(2);
  begin_block({1, 0, 0});
  const Stamp next = scene.access(2);
  CHECK(together(first, next, false) == (next | kOtherBlocks));
  CHECK(together(first, next, true) == next);
  open_barrier();
  const Stamp last = scene.access(2);
  CHECK(together(next | kOtherBlocks, last, false) == (last | kOtherBlocks));
}

TEST_CASE(
    "an access before the block's last barrier comes before the present, another block's not") {
  KernelScene scene;
  const Stamp other_block = scene.access(0);
  begin_block({1, 0, 0});
  const Stamp before = scene.access(0);
  CHECK_FALSE(clearly_before(before, present.launch_floor));
  open_barrier();
  CHECK(clearly_before(before, present.launch_floor));
  CHECK_FALSE(clearly_before(before | kOtherBlocks, present.launch_floor));
  CHECK_FALSE(clearly_before(other_block, present.launch_floor));
  CHECK(clearly_before(kWritten, present.launch_floor));
}

TEST_CASE("when event numbers run out, all accesses are earlier and unwritten stays unwritten") {
  KernelScene scene;
  static int memory[64];
  const uintptr_t at = reinterpret_cast<uintptr_t>(&memory[16]) & ~uintptr_t{15};
  Cell* cells = make_cell(at);
  REQUIRE(cells != nullptr);
  cells[0] = {scene.access(1), scene.access(2)};
  cells[1] = {kUnwritten, 0};
  cells[2] = {kWritten, 0};
  const Stamp before = present.now;
  while (present.now >= before) next_event();
  CHECK((cells[0].write & kEventMask) >= present.block_floor);
  CHECK(clearly_before(cells[0].write, present.launch_floor));
  CHECK(cells[0].read == 0);
  CHECK(cells[1].write == kUnwritten);
  CHECK((is_of_kernel(cells[0].write) && !is_of_kernel(cells[2].write)));
  begin_block({1, 0, 0});
  const Stamp again = present.now;
  while (present.now >= again) next_event();
  CHECK(cells[0].write == kWrittenByKernel);
  CHECK(cells[2].write == kWritten);
  CHECK(clearly_before(cells[0].write, present.launch_floor));
}

// SPDX-License-Identifier: MIT
#include "cpu_device/check/grid_family.h"

#include "catch.h"
#include "kernel_scene.h"

namespace convkit::simt::check {
namespace {

using test::KernelScene;
using BirthPointer = std::shared_ptr<const Birth>;

// The running thread launches a child.
BirthPointer launch_child() {
  const Grid parent, child;
  return std::static_pointer_cast<const Birth>(child_queued(parent, child, nullptr));
}

BirthPointer born(uint64_t launcher, cudaStream_t stream, BirthPointer parent = nullptr,
                  uint32_t block_begin = 10) {
  Birth birth;
  birth.depth = parent ? parent->depth + 1 : 1;
  birth.parent = std::move(parent);
  birth.launcher = launcher;
  birth.stream = stream;
  birth.block_begin = block_begin;
  return std::make_shared<const Birth>(birth);
}

Kinship between(uint64_t number, const BirthPointer& earlier, const BirthPointer& running) {
  const Birth* child = nullptr;
  return kinship(number, earlier.get(), running.get(), &child);
}

}  // namespace

TEST_CASE("of its parent's accesses a child knows the launching thread's before the launch") {
  KernelScene scene;
  const Stamp others = scene.access(40), own = scene.access(3);
  const BirthPointer child = launch_child();
  const Stamp after = scene.access(3);
  CHECK(comes_before(own, *child));
  CHECK_FALSE(comes_before(others, *child));
  CHECK_FALSE(comes_before(own | kSeveralLanes, *child));
  CHECK_FALSE(comes_before(after, *child));
}

TEST_CASE("a barrier before the launch orders the whole block with the child, and no other block") {
  KernelScene scene;
  const Stamp other_block = scene.access(3);
  begin_block({1, 0, 0});
  const Stamp others = scene.access(40);
  open_barrier();
  scene.run(3);
  const BirthPointer child = launch_child();
  CHECK(comes_before(others, *child));
  CHECK_FALSE(comes_before(others | kOtherBlocks, *child));
  CHECK_FALSE(comes_before(other_block, *child));
}

TEST_CASE("a warp function before the launch orders the warp with the child") {
  KernelScene scene;
  const Stamp lane = scene.access(7), other_warp = scene.access(40);
  warp_met(0, ~0u, true);
  scene.run(3);
  const BirthPointer child = launch_child();
  CHECK(comes_before(lane, *child));
  CHECK_FALSE(comes_before(other_warp, *child));
}

TEST_CASE("the last block, which knows by atomics that it is, orders all blocks with its child") {
  KernelScene scene;
  const Stamp first_block = scene.access(3);
  fenced();
  atomic_access(0x1000, true, true);
  begin_block({1, 0, 0});
  atomic_access(0x1000, true, true);
  CHECK(comes_before(first_block, *launch_child()));
}

TEST_CASE("grids of one family are ordered by streams, by their parents and by tail launches") {
  const BirthPointer host = nullptr;
  const BirthPointer one = born(1, nullptr), other = born(1, nullptr);
  CHECK(between(2, one, other) == Kinship::before);
  CHECK(between(2, one, born(1, cudaStreamFireAndForget)) == Kinship::sibling);
  CHECK(between(2, born(1, cudaStreamFireAndForget), born(1, cudaStreamFireAndForget)) ==
        Kinship::sibling);
  CHECK(between(2, one, born(1, nullptr, nullptr, 20)) == Kinship::sibling);  // another block
  CHECK(between(1, host, one) == Kinship::parent);
  CHECK(between(9, host, one) == Kinship::before);  // the parent is the other's tail launch
  CHECK(between(2, one, host) == Kinship::before);  // a tail launch of the first grid
  const BirthPointer below = born(2, nullptr, one);
  CHECK(between(2, one, below) == Kinship::parent);
  CHECK(between(1, host, below) == Kinship::parent);
  CHECK(between(3, below, other) == Kinship::before);
  CHECK(between(3, below, born(1, cudaStreamFireAndForget)) == Kinship::sibling);
}

}  // namespace convkit::simt::check

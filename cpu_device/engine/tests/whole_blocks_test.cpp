// SPDX-License-Identifier: MIT
// Kernels that run all threads of a block in one call (simt/thread_loop.h).
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "block_scene.h"
#include "catch.h"
#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/counts.h"

namespace convkit::simt {
namespace {

using test::BlockScene;

// Says that the calling kernel runs the whole block, if that is offered.
bool take_block() {
  const bool offered = whole_block != 0;
  whole_block = 0;
  return offered;
}

}  // namespace

TEST_CASE("a kernel that takes a whole block is called once for it") {
  BlockScene scene(64);
  unsigned calls = 0;
  REQUIRE(scene.run([&](BlockRunner&) {
    ++calls;
    CHECK(take_block());
    CHECK((threadIdx.x == 0 && blockDim.x == 64));
  }));
  CHECK(calls == 1);
}

TEST_CASE("a kernel that does not take a block runs thread by thread, and may wait") {
  BlockScene scene(64);
  std::vector<unsigned> order;
  REQUIRE(scene.run([&](BlockRunner& runner) {
    runner.barrier("k.cu", 1);
    order.push_back(threadIdx.x);
  }));
  REQUIRE(order.size() == 64);
  CHECK(order[1] == 1);
  CHECK(whole_block == 0);
}

TEST_CASE("a kernel that takes whole blocks gets the next ones in order") {
  BlockScene scene(8);
  scene.offer(6);
  std::vector<std::string> blocks;
  REQUIRE(scene.run(
      [&](BlockRunner&) {
        CHECK(take_block());
        blocks.push_back(Grid::block_text(blockIdx));
      },
      uint3{2, 2, 0}));
  CHECK(blocks == std::vector<std::string>{"block (2,2,0)", "block (3,2,0)", "block (0,0,1)",
                                           "block (1,0,1)", "block (2,0,1)", "block (3,0,1)"});
  CHECK(scene.blocks_begun() == 6);
}

TEST_CASE("a kernel that runs threads one by one gets one block") {
  BlockScene scene(8);
  scene.offer(6);
  REQUIRE(scene.run([&](BlockRunner&) {}));
  CHECK(scene.blocks_begun() == 1);
}

TEST_CASE("no block is offered in a shuffled order") {
  BlockScene scene(8, 7);
  unsigned calls = 0;
  REQUIRE(scene.run([&](BlockRunner&) {
    ++calls;
    CHECK_FALSE(take_block());
  }));
  CHECK(calls == 8);
}

TEST_CASE("a fault in a whole block names the block, whose thread is not known") {
  BlockScene scene(8);
  Fault fault;
  fault.kind = "trap";
  CHECK_FALSE(scene.run(
      [&](BlockRunner& runner) {
        take_block();
        runner.abandon(fault);
      },
      uint3{1, 2, 0}));
  CHECK(scene.grid().fault_place == "kernel, block (1,2,0), launched at host.cu:1");
}

TEST_CASE("a thread that waits in a whole block ends the kernel with a report") {
  BlockScene scene(8);
  SECTION("at a barrier") {
    CHECK_FALSE(scene.run([&](BlockRunner& runner) {
      take_block();
      runner.barrier("k.cu", 1);
    }));
  }
  SECTION("for others to go on") {
    CHECK_FALSE(scene.run([&](BlockRunner& runner) {
      take_block();
      runner.yield();
    }));
  }
  CHECK(scene.grid().fault.kind == "wait_in_thread_loop");
  // The next kernel starts afresh.
  unsigned calls = 0;
  CHECK(scene.run([&](BlockRunner& runner) {
    runner.barrier("k.cu", 1);
    ++calls;
  }));
  CHECK(calls == 8);
}

TEST_CASE("a kernel that runs in phases is called once for each block, and gets no other") {
  BlockScene scene(64);
  scene.offer(6);
  unsigned calls = 0;
  const uint64_t before = counts().barriers;
  REQUIRE(scene.run([&](BlockRunner&) {
    ++calls;
    REQUIRE(whole_block == 1);
    whole_block = kRunsPhases;
    convkit_simt_barriers_passed(3);
  }));
  CHECK(calls == 1);
  CHECK(scene.blocks_begun() == 1);
  CHECK(counts().barriers == before + 3 * 64);
}

TEST_CASE("a kernel gets memory that lasts as long as its block") {
  BlockScene scene(64);
  unsigned char* first = nullptr;
  for (int block = 0; block < 2; ++block) {
    REQUIRE(scene.run([&](BlockRunner&) {
      whole_block = kRunsPhases;
      std::vector<std::pair<unsigned char*, size_t>> taken;
      for (const size_t bytes : {size_t{1}, size_t{64}, size_t{3} << 20, size_t{100}}) {
        auto* memory = static_cast<unsigned char*>(convkit_simt_block_memory(bytes));
        CHECK(reinterpret_cast<uintptr_t>(memory) % 64 == 0);
        std::memset(memory, static_cast<int>(taken.size()), bytes);
        taken.emplace_back(memory, bytes);
      }
      for (size_t i = 0; i < taken.size(); ++i) {
        CHECK((*taken[i].first == i && taken[i].first[taken[i].second - 1] == i));
      }
      if (block == 0) first = taken[0].first;
      CHECK(taken[0].first == first);  // it is used again
    }));
  }
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Threads that meet: reductions at barriers, warp collectives, and those who never come.
#include <string>
#include <vector>

#include "block_scene.h"
#include "catch.h"

namespace convkit::simt {
namespace {

using test::BlockScene;

// Each lane's result is the sum of what the lanes of its group put in.
ConvkitWarpOp sum_of(unsigned value, int kind = 1, int line = 10) {
  ConvkitWarpOp op{};
  op.size = sizeof value;
  op.kind = kind;
  op.file = "k.cu";
  op.line = line;
  std::copy_n(reinterpret_cast<const unsigned char*>(&value), sizeof value, op.in);
  op.deliver = [](ConvkitWarpOp* const* lanes, unsigned group) {
    unsigned sum = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (group >> lane & 1) sum += *reinterpret_cast<const unsigned*>(lanes[lane]->in);
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (group >> lane & 1) *reinterpret_cast<unsigned*>(lanes[lane]->result) = sum;
    }
  };
  return op;
}

unsigned warp_sum(BlockRunner& runner, unsigned mask, unsigned value, int kind = 1, int line = 10) {
  ConvkitWarpOp op = sum_of(value, kind, line);
  runner.collective(mask, &op);
  return *reinterpret_cast<const unsigned*>(op.result);
}

}  // namespace

TEST_CASE("a barrier that counts, ands or ors tells every thread the same") {
  for (const uint64_t seed : {0, 4}) {
    BlockScene scene(100, seed);
    unsigned wrong = 0;
    REQUIRE(scene.run([&](BlockRunner& runner) {
      const unsigned i = threadIdx.x;
      for (int round = 0; round < 3; ++round) {
        wrong += runner.barrier_reduce(i % 3 == 0 ? 7 : 0, 0, "k.cu", 1) != 34;
        wrong += runner.barrier_reduce(i != 50, 1, "k.cu", 2) != 0;
        wrong += runner.barrier_reduce(2, 1, "k.cu", 3) != 1;
        wrong += runner.barrier_reduce(i == 50, 2, "k.cu", 4) != 1;
        wrong += runner.barrier_reduce(0, 2, "k.cu", 5) != 0;
      }
    }));
    CHECK(wrong == 0);
  }
}

TEST_CASE("threads that have returned do not count at a barrier") {
  BlockScene scene(100);
  std::vector<unsigned> counts;
  REQUIRE(scene.run([&](BlockRunner& runner) {
    if (threadIdx.x % 10 == 0) return;
    counts.push_back(runner.barrier_reduce(1, 0, "k.cu", 1));
  }));
  CHECK(counts == std::vector<unsigned>(90, 90));
}

TEST_CASE("a block that failed leaves nothing behind for the next") {
  BlockScene scene(64);
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
    if (threadIdx.x == 40) runner.abandon({cudaErrorLaunchFailure, "trap", "Trapped.", ""});
    runner.barrier_reduce(1, 0, "k.cu", 1);
  }));
  CHECK(scene.grid().fault.kind == "trap");
  CHECK_FALSE(scene.grid().fault_place.empty());
  std::vector<unsigned> counts;
  REQUIRE(scene.run(
      [&](BlockRunner& runner) { counts.push_back(runner.barrier_reduce(1, 0, "k.cu", 1)); }));
  CHECK(counts == std::vector<unsigned>(64, 64));
}

TEST_CASE("lanes meet by warp, and warps do not wait for one another") {
  for (const uint64_t seed : {0, 1, 2}) {
    BlockScene scene(96, seed);
    unsigned wrong = 0;
    REQUIRE(scene.run([&](BlockRunner& runner) {
      const unsigned warp = threadIdx.x / 32;
      // Warp 2 meets more often than the others.
      for (unsigned i = 0; i <= warp; ++i) {
        wrong += warp_sum(runner, 0xffffffff, threadIdx.x) != 32 * 32 * warp + 31 * 16;
      }
    }));
    CHECK(wrong == 0);
  }
}

TEST_CASE("lanes of different masks meet apart") {
  BlockScene scene(32);
  unsigned wrong = 0;
  REQUIRE(scene.run([&](BlockRunner& runner) {
    const bool odd = threadIdx.x % 2;
    const unsigned sum = warp_sum(runner, odd ? 0xaaaaaaaa : 0x55555555, threadIdx.x);
    wrong += sum != (odd ? 256u : 240u);
  }));
  CHECK(wrong == 0);
}

TEST_CASE("lanes that have returned, and those a small block does not have, are not waited for") {
  BlockScene scene(20);
  std::vector<unsigned> sums;
  REQUIRE(scene.run([&](BlockRunner& runner) {
    if (threadIdx.x >= 16) return;
    sums.push_back(warp_sum(runner, 0xffffffff, 1));
  }));
  CHECK(sums == std::vector<unsigned>(16, 16));
}

TEST_CASE("lanes that reach a place together are the active ones") {
  BlockScene scene(32);
  unsigned wrong = 0;
  REQUIRE(scene.run([&](BlockRunner& runner) {
    static const char first = 0, second = 0;
    const bool low = threadIdx.x < 8;
    const unsigned mask = runner.active_mask(low ? &first : &second);
    wrong += mask != (low ? 0xffu : 0xffffff00u);
  }));
  CHECK(wrong == 0);
}

TEST_CASE("threads at different barriers are a fault that names both lines") {
  BlockScene scene(64);
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
    if (threadIdx.x < 32) {
      runner.barrier("some/folder/k.cu", 12);
    } else {
      runner.barrier("some/folder/k.cu", 15);
    }
  }));
  CHECK(scene.grid().fault.error == cudaErrorLaunchFailure);
  CHECK(scene.grid().fault.kind == "divergent_barrier");
  CHECK(scene.grid().fault.sentence ==
        "threads of one block wait at different __syncthreads(): thread (32,0,0) at k.cu:15, "
        "thread (0,0,0) at k.cu:12.");
  CHECK(scene.grid().fault_place ==
        "kernel, block (0,0,0), thread (32,0,0), launched at host.cu:1");
}

TEST_CASE("one barrier seen from two places of the program's text is one barrier") {
  BlockScene scene(64);
  const std::string copy = "k.cu";
  CHECK(scene.run(
      [&](BlockRunner& runner) { runner.barrier(threadIdx.x < 32 ? "k.cu" : copy.c_str(), 12); }));
}

TEST_CASE("a mask that does not name its caller is a fault") {
  BlockScene scene(32);
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) { warp_sum(runner, 0xfffffffe, 1); }));
  CHECK(scene.grid().fault.kind == "shuffle_mask");
  CHECK(scene.grid().fault.sentence ==
        "a warp function at k.cu:10 is called by lane 0, which its mask does not name.");
}

TEST_CASE("a lane that is named and never comes is a fault") {
  BlockScene scene(32);
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
    if (threadIdx.x == 5) {
      runner.barrier("k.cu", 20);
    } else {
      warp_sum(runner, 0xffffffff, 1);
    }
  }));
  CHECK(scene.grid().fault.kind == "shuffle_mask");
  CHECK(scene.grid().fault.error == cudaErrorLaunchTimeout);
  CHECK_THAT(scene.grid().fault.sentence,
             Catch::Contains("waits for lane 5") && Catch::Contains("at k.cu:20"));
}

TEST_CASE("lanes that meet in different warp functions are a fault that names both lines") {
  BlockScene scene(32);
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
    const bool low = threadIdx.x < 16;
    warp_sum(runner, 0xffffffff, 1, low ? 1 : 2, low ? 10 : 11);
  }));
  CHECK(scene.grid().fault.kind == "shuffle_mask");
  CHECK_THAT(scene.grid().fault.sentence, Catch::Contains("k.cu:10") && Catch::Contains("k.cu:11"));
}

TEST_CASE(
    "a function for whole warps is a fault where a warp has fewer lanes, or some have returned") {
  for (const bool returned : {false, true}) {
    BlockScene scene(returned ? 64 : 48);
    REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
      if (threadIdx.x < 48) warp_sum(runner, 0xffffffff, 1, kMatrixProduct);
    }));
    CHECK(scene.grid().fault.kind == "shuffle_mask");
    CHECK(scene.grid().fault.error == cudaErrorLaunchFailure);
    CHECK(scene.grid().fault.sentence ==
          "the matrix function at k.cu:10 is called by 16 lanes of warp 1, and needs all 32.");
    CHECK_THAT(scene.grid().fault_place, Catch::Contains("thread (32,0,0)"));
  }
}

TEST_CASE("a function for whole warps that some lanes never call is told without a mask") {
  BlockScene scene(32);
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
    if (threadIdx.x == 5) {
      runner.barrier("k.cu", 20);
    } else {
      warp_sum(runner, 0xffffffff, 1, kMatrixLoad);
    }
  }));
  CHECK(scene.grid().fault.sentence ==
        "the matrix function at k.cu:10 waits for lane 5, which never calls it: thread (5,0,0) at "
        "k.cu:20.");
}

TEST_CASE("of several faults of a launch the first is kept") {
  Grid grid;
  grid.fail({cudaErrorLaunchFailure, "trap", "The first.", ""}, "here");
  grid.fail({cudaErrorIllegalAddress, "null_pointer", "The second.", ""}, "there");
  CHECK(grid.failed);
  CHECK(grid.fault.sentence == "The first.");
  CHECK(grid.fault_place == "here");
}

}  // namespace convkit::simt

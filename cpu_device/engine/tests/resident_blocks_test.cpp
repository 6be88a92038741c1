// SPDX-License-Identifier: MIT
// The blocks of a cooperative launch: they meet, side by side or by turns, and one that never comes
// ends the launch.
#include "cpu_device/engine/resident_blocks.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "block_scene.h"
#include "catch.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/occupancy.h"

namespace convkit::simt {
namespace {

struct Launch {
  explicit Launch(unsigned blocks) {
    grid.name = "kernel";
    grid.file = "host.cu";
    grid.line = 1;
    grid.blocks_dim = {blocks, 1, 1};
    grid.blocks = blocks;
    grid.resident = resident_blocks(grid);
  }

  // Each block on a thread of its own.
  void run(const std::function<void(ResidentBlocks&, unsigned)>& block) {
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < grid.blocks; ++number) {
      threads.emplace_back([&, number] {
        if (grid.resident->begin(number)) block(*grid.resident, number);
        grid.resident->end(number);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  Grid grid;
};

std::string g_story;  // of the hooks and the blocks

constexpr CheckHooks kStoryHooks = {
    .kernel_begins = [](const Grid&) { g_story += "begin "; },
    .kernel_ends = [](const Grid&) { g_story += "end"; },
    .block_leaves = [] { g_story += "leave "; },
    .block_resumes = [](uint3 index) { g_story += "resume" + std::to_string(index.x) + " "; },
    .grid_meets = [] { g_story += "meet "; },
};

struct ByTurns {
  ByTurns() {
    g_story.clear();
    check_hooks = &kStoryHooks;
  }
  ~ByTurns() { check_hooks = nullptr; }
};

}  // namespace

TEST_CASE("no block passes a barrier of the grid before all have come to it") {
  constexpr unsigned kBlocks = 7, kRounds = 200;
  Launch launch(kBlocks);
  std::atomic<unsigned> come{0}, wrong{0};
  launch.run([&](ResidentBlocks& blocks, unsigned number) {
    for (unsigned round = 1; round <= kRounds; ++round) {
      ++come;
      wrong += !blocks.meet(number, "k.cu", 1);
      wrong += come != round * kBlocks;
      wrong += !blocks.meet(number, "k.cu", 2);
    }
  });
  CHECK(wrong == 0);
  CHECK_FALSE(launch.grid.failed);
}

TEST_CASE("a block that ends before a barrier of the grid fails the launch") {
  Launch launch(4);
  std::atomic<unsigned> stopped{0};
  launch.run([&](ResidentBlocks& blocks, unsigned number) {
    if (number != 2) stopped += !blocks.meet(number, "k.cu", 12);
  });
  CHECK(stopped == 3);
  CHECK(launch.grid.failed);
  CHECK(launch.grid.fault.kind == "divergent_barrier");
  CHECK(launch.grid.fault.sentence ==
        "the grid cannot continue: 3 of its 4 blocks wait in grid_group::sync() at k.cu:12, and "
        "block (2,0,0) has ended without it.");
}

TEST_CASE("by turns, a block goes on until it waits, ends or gives way") {
  const ByTurns by_turns;
  Launch launch(2);
  launch.run([&](ResidentBlocks& blocks, unsigned number) {
    const std::string name = std::to_string(number) + " ";
    g_story += "a" + name;
    if (number == 0) blocks.give_way(number);
    g_story += "b" + name;
    blocks.meet(number, "k.cu", 1);
    g_story += "c" + name;
  });
  CHECK(g_story == "begin a0 leave a1 b1 leave resume0 b0 leave meet resume0 c0 resume1 c1 end");
}

TEST_CASE("by turns, a block that gives way to nobody goes on, and one that is missing is told") {
  const ByTurns by_turns;
  Launch launch(3);
  unsigned stopped = 0;
  launch.run([&](ResidentBlocks& blocks, unsigned number) {
    if (number == 2) {
      CHECK(blocks.give_way(number));
    } else {
      stopped += !blocks.meet(number, "k.cu", 3);
    }
  });
  CHECK(g_story == "begin leave leave end");
  CHECK(stopped == 2);
  CHECK(launch.grid.fault.sentence ==
        "the grid cannot continue: 2 of its 3 blocks wait in grid_group::sync() at k.cu:3, and "
        "block (2,0,0) has ended without it.");
}

TEST_CASE("when a launch fails, no block waits any longer") {
  const bool by_turns = GENERATE(false, true);
  const auto hooks = by_turns ? std::make_unique<ByTurns>() : nullptr;
  Launch launch(3);
  std::atomic<unsigned> begun{0}, stopped{0};  // a block may come when the launch has failed
  launch.run([&](ResidentBlocks& blocks, unsigned number) {
    ++begun;
    if (number == 2) {
      launch.grid.fail({cudaErrorLaunchFailure, "trap", "a fault.", ""}, "kernel");
      stopped += !blocks.meet(number, "k.cu", 1);
    } else {
      stopped += !blocks.meet(number, "k.cu", 1);
    }
  });
  CHECK(stopped == begun);
  CHECK(launch.grid.fault.kind == "trap");
}

TEST_CASE("a barrier of the grid in an ordinary launch is a fault that names the other launch") {
  test::BlockScene scene(64);
  CHECK_FALSE(scene.run([](BlockRunner& runner) { runner.grid_barrier("k.cu", 5); }));
  CHECK(scene.grid().fault.kind == "not_cooperative");
  CHECK_THAT(scene.grid().fault.advice, Catch::Contains("cudaLaunchCooperativeKernel"));
}

TEST_CASE("threads, blocks and shared memory limit how many blocks a multiprocessor holds") {
  CHECK(blocks_per_processor(1024, 0) == 2);
  CHECK(blocks_per_processor(1025, 0) == 0);
  CHECK(blocks_per_processor(1, 0) == 32);
  CHECK(blocks_per_processor(33, 0) == 32);
  CHECK(blocks_per_processor(96, 0) == 21);
  CHECK(blocks_per_processor(64, 48 << 10) == 4);
  CHECK(blocks_per_processor(64, 227 << 10) == 1);
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Blocks of an ordinary launch that wait for each other in loops.
#include <atomic>
#include <string>
#include <thread>

#include "catch.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/engine/workers.h"
#include "simt/device_side.h"

namespace convkit::simt {
namespace {

std::atomic<unsigned> g_arrived{0}, g_wanted{0};

void wait_for_all(const void*) {
  ++g_arrived;
  while (g_arrived < g_wanted) convkit_simt_spin();
}

}  // namespace

TEST_CASE("blocks that wait for each other begin, however few the workers are") {
  // More than 64 blocks a worker are taken several together.
  const unsigned blocks = GENERATE(3u, 200u);
  const unsigned threads = GENERATE(1u, 33u);
  INFO(blocks << " blocks of " << threads);
  Grid grid;
  grid.invoke = &wait_for_all;
  grid.name = "kernel";
  grid.file = "host.cu";
  grid.line = 1;
  grid.blocks_dim = {blocks, 1, 1};
  grid.threads_dim = {threads, 1, 1};
  grid.threads = threads;
  grid.blocks = blocks;
  g_arrived = 0;
  g_wanted = blocks * threads;
  run_on_workers(grid);
  CHECK_FALSE(grid.failed);
  CHECK(g_arrived == g_wanted);
  CHECK(grid.blocks_done == blocks);
}

}  // namespace convkit::simt

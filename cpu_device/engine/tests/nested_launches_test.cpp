// SPDX-License-Identifier: MIT
#include "cpu_device/engine/nested_launches.h"

#include <memory>
#include <string>
#include <vector>

#include "block_scene.h"
#include "catch.h"
#include "simt/runtime_api.h"

namespace convkit::simt {
namespace {

using test::BlockScene;

std::shared_ptr<Grid> child(const std::string& name) {
  auto grid = std::make_shared<Grid>();
  grid->name = name;
  return grid;
}

// The names of what the grid has launched, in the order in which it runs.
std::string order_of(Grid& grid) {
  std::vector<std::shared_ptr<Grid>> waiting;
  take_children(grid, waiting);
  std::string names;
  for (auto each = waiting.rbegin(); each != waiting.rend(); ++each) names += (*each)->name;
  return names;
}

}  // namespace

TEST_CASE("children run in the order of blocks and of their launches, tail launches last") {
  Grid grid;
  grid.children = {{child("y"), 1, true}, {child("c"), 1, false}, {child("a"), 0, false},
                   {child("x"), 0, true}, {child("d"), 1, false}, {child("b"), 0, false}};
  CHECK(order_of(grid) == "abcdxy");
  CHECK(order_of(grid).empty());
}

TEST_CASE("a child is one level deeper than its parent, and a tail launch takes its place") {
  BlockScene scene(1);
  const auto deeper = child("deeper"), tail = child("tail");
  REQUIRE(scene.run([&](BlockRunner& block) {
    block.grid()->depth = 5;
    CHECK(queue_child(block, deeper, nullptr, "") == cudaSuccess);
    CHECK(queue_child(block, tail, cudaStreamTailLaunch, "") == cudaSuccess);
  }));
  CHECK(deeper->depth == 6);
  CHECK(tail->depth == 5);
  CHECK(scene.grid().children.size() == 2);
}

TEST_CASE("the last error is the thread's, until it asks for it") {
  BlockScene scene(3);
  std::vector<cudaError_t> errors;
  REQUIRE(scene.run([&](BlockRunner& block) {
    if (block.thread() == 1) {
      CHECK(queue_child(block, child("k"), nullptr, "its grid is too large") ==
            cudaErrorInvalidConfiguration);
      errors.push_back(cudaPeekAtLastError());
    }
    errors.push_back(cudaGetLastError());
    errors.push_back(cudaGetLastError());
  }));
  const std::vector<cudaError_t> expected = {cudaSuccess,
                                             cudaSuccess,
                                             cudaErrorInvalidConfiguration,
                                             cudaErrorInvalidConfiguration,
                                             cudaSuccess,
                                             cudaSuccess,
                                             cudaSuccess};
  CHECK(errors == expected);
  CHECK(scene.grid().children.empty());
}

TEST_CASE("grids are nested so deep, and one grid has so many children, and no more") {
  BlockScene scene(1);
  const size_t limit = pending_launch_limit();
  set_pending_launch_limit(2);
  REQUIRE(scene.run([&](BlockRunner& block) {
    block.grid()->depth = kMostNested;
    CHECK(queue_child(block, child("k"), nullptr, "") == cudaErrorLaunchMaxDepthExceeded);
    block.grid()->depth = kMostNested - 1;
    CHECK(queue_child(block, child("k"), nullptr, "") == cudaSuccess);
    CHECK(queue_child(block, child("k"), nullptr, "") == cudaSuccess);
    CHECK(queue_child(block, child("k"), nullptr, "") == cudaErrorLaunchPendingCountExceeded);
    CHECK(cudaGetLastError() == cudaErrorLaunchPendingCountExceeded);
  }));
  set_pending_launch_limit(limit);
}

TEST_CASE("the host sets how many children a grid may have, and no depth of waiting") {
  size_t before = 0, value = 0;
  REQUIRE(cudaDeviceGetLimit(&before, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
  CHECK(before == 2048);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 5) == cudaSuccess);
  CHECK(pending_launch_limit() == 5);
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, before);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth) == cudaErrorUnsupportedLimit);
  cudaGetLastError();
}

TEST_CASE("a stream belongs to the block that made it") {
  BlockScene scene(1);
  cudaStream_t stream = nullptr;
  REQUIRE(scene.run([&](BlockRunner& block) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamDefault) == cudaErrorInvalidValue);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(queue_child(block, child("k"), stream, "") == cudaSuccess);
  }));
  REQUIRE(scene.run([&](BlockRunner& block) {
    CHECK(queue_child(block, child("k"), stream, "") == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  }));
}

TEST_CASE("a call that is for host code ends the kernel") {
  BlockScene scene(1);
  CHECK_FALSE(scene.run([](BlockRunner&) { cudaDeviceSynchronize(); }));
  CHECK(scene.grid().fault.kind == "host_call_in_kernel");
}

}  // namespace convkit::simt

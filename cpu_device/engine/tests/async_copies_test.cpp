// SPDX-License-Identifier: MIT
#include "cpu_device/engine/async_copies.h"

#include <array>
#include <vector>

#include "block_scene.h"
#include "catch.h"
#include "simt/async_copies.h"

namespace convkit::simt {
namespace {

using test::BlockScene;

void ask(int& to, const int& from) {
  convkit_simt_async_copy(&to, &from, sizeof to, 0, sizeof to);
}

}  // namespace

TEST_CASE("an asynchronous copy is made when its thread waits for it") {
  BlockScene scene(1);
  int from = 1, to = 0, before = -1, after = -1;
  REQUIRE(scene.run([&](BlockRunner&) {
    ask(to, from);
    convkit_simt_async_commit();
    before = to;
    from = 2;
    convkit_simt_async_wait(0);
    after = to;
  }));
  CHECK(before == 0);
  CHECK(after == 2);
}

TEST_CASE("a wait leaves the last batches under way, and empty batches count") {
  BlockScene scene(1);
  const std::array<int, 4> from{1, 2, 3, 4};
  std::array<int, 4> to{};
  std::vector<std::array<int, 4>> seen;
  REQUIRE(scene.run([&](BlockRunner&) {
    const auto wait = [&](unsigned long long but_last) {
      convkit_simt_async_wait(but_last);
      seen.push_back(to);
    };
    ask(to[0], from[0]);
    ask(to[1], from[1]);
    convkit_simt_async_commit();
    ask(to[2], from[2]);
    convkit_simt_async_commit();
    wait(9);
    wait(2);
    wait(1);
    convkit_simt_async_commit();
    wait(1);
    ask(to[3], from[3]);  // in no batch
    wait(0);
    convkit_simt_async_commit();
    wait(0);
  }));
  const std::array<int, 4> first{1, 2, 0, 0}, second{1, 2, 3, 0};
  const std::vector<std::array<int, 4>> expected{{}, {}, first, second, second, from};
  CHECK(seen == expected);
}

TEST_CASE("the last bytes of an asynchronous copy become zeros") {
  BlockScene scene(1);
  const std::array<int, 4> from{1, 2, 3, 4};
  std::array<int, 5> to{9, 9, 9, 9, 9};
  REQUIRE(scene.run([&](BlockRunner&) {
    convkit_simt_async_copy(to.data(), from.data(), 8, 8, 16);
    convkit_simt_async_commit();
    convkit_simt_async_wait(0);
  }));
  CHECK(to == std::array<int, 5>{1, 2, 0, 0, 9});
}

TEST_CASE("nobody else's wait makes a thread's asynchronous copies") {
  const uint64_t seed = GENERATE(0u, 7u);
  BlockScene scene(64, seed);
  const int from = 1;
  std::array<int, 64> to{};
  const auto kernel = [&](BlockRunner& runner) {
    const unsigned thread = runner.thread();
    if (thread % 2 == 0) {
      ask(to[thread], from);  // and ends, or waits at a barrier only
      convkit_simt_async_commit();
    }
    if (thread % 4 < 2) runner.barrier("k.cu", 1);
    if (thread % 2 == 1) convkit_simt_async_wait(0);
  };
  REQUIRE(scene.run(kernel));
  CHECK(to == std::array<int, 64>{});
  // Nor do the threads of the next block.
  REQUIRE(scene.run([](BlockRunner&) { convkit_simt_async_wait(0); }));
  CHECK(to == std::array<int, 64>{});
}

TEST_CASE("a launch that was stopped leaves no asynchronous copies") {
  BlockScene scene(1);
  int from = 1, to = 0;
  REQUIRE_FALSE(scene.run([&](BlockRunner& runner) {
    ask(to, from);
    convkit_simt_async_commit();
    runner.abandon({});
  }));
  REQUIRE(scene.run([](BlockRunner&) { convkit_simt_async_wait(0); }));
  CHECK(to == 0);
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
#include "cpu_device/engine/block_runner.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "block_scene.h"
#include "catch.h"

namespace convkit::simt {
namespace {

using test::BlockScene;

std::vector<unsigned> numbers_up_to(unsigned count) {
  std::vector<unsigned> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace

TEST_CASE("each thread of a block runs once, in order, with its index") {
  BlockScene scene(uint3{4, 3, 2});
  std::vector<unsigned> order;
  REQUIRE(scene.run(
      [&](BlockRunner& runner) {
        order.push_back(threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z));
        CHECK(runner.thread() == order.back());
        CHECK((blockIdx.x == 3 && blockIdx.y == 2 && blockIdx.z == 1));
        CHECK((blockDim.x == 4 && blockDim.y == 3 && blockDim.z == 2));
        CHECK((gridDim.x == 4 && gridDim.y == 3 && gridDim.z == 2));
      },
      uint3{3, 2, 1}));
  CHECK(order == numbers_up_to(24));
}

TEST_CASE("threads that never wait share one stack") {
  BlockScene scene(1024);
  std::set<const void*> places;
  REQUIRE(scene.run([&](BlockRunner&) {
    volatile int local = 0;
    places.insert(const_cast<const int*>(&local));
  }));
  CHECK(places.size() == 1);
}

TEST_CASE("no thread passes a barrier before all have come") {
  for (const unsigned threads : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 1000u, 1024u}) {
    CAPTURE(threads);
    BlockScene scene(threads);
    unsigned before = 0, after = 0, early = 0;
    REQUIRE(scene.run([&](BlockRunner& runner) {
      for (unsigned round = 1; round <= 3; ++round) {
        ++before;
        runner.barrier("k.cu", 1);
        early += before != round * threads;
        ++after;
        runner.barrier("k.cu", 2);
        early += after != round * threads;
      }
    }));
    CHECK(early == 0);
    CHECK(after == 3 * threads);
  }
}

TEST_CASE("a thread has its own variables and its own index after a barrier") {
  BlockScene scene(uint3{8, 8, 4});
  unsigned wrong = 0;
  REQUIRE(scene.run([&](BlockRunner& runner) {
    const unsigned mine = threadIdx.x + 8 * (threadIdx.y + 8 * threadIdx.z);
    for (int i = 0; i < 5; ++i) {
      runner.barrier("k.cu", 1);
      wrong += mine != threadIdx.x + 8 * (threadIdx.y + 8 * threadIdx.z);
      wrong += mine != runner.thread();
    }
  }));
  CHECK(wrong == 0);
}

TEST_CASE("threads that have returned are not waited for") {
  for (const uint64_t seed : {0, 1, 2, 3}) {
    CAPTURE(seed);
    BlockScene scene(100, seed);
    unsigned arrived = 0, passed = 0, early = 0;
    SECTION("the first half returns") {
      REQUIRE(scene.run([&](BlockRunner& runner) {
        if (threadIdx.x < 50) return;
        ++arrived;
        runner.barrier("k.cu", 1);
        early += arrived != 50;
        ++passed;
      }));
      CHECK(passed == 50);
    }
    SECTION("the last thread returns, when all others wait") {
      REQUIRE(scene.run([&](BlockRunner& runner) {
        if (threadIdx.x == 99) return;
        ++arrived;
        runner.barrier("k.cu", 1);
        early += arrived != 99;
        ++passed;
      }));
      CHECK(passed == 99);
    }
    SECTION("one more returns in each round") {
      REQUIRE(scene.run([&](BlockRunner& runner) {
        for (unsigned round = 0; round < threadIdx.x; ++round) {
          runner.barrier("k.cu", 1);
          ++passed;
        }
      }));
      CHECK(passed == 99 * 100 / 2);
    }
    SECTION("all but one return") {
      REQUIRE(scene.run([&](BlockRunner& runner) {
        if (threadIdx.x != 7) return;
        runner.barrier("k.cu", 1);
        ++passed;
      }));
      CHECK(passed == 1);
    }
    CHECK(early == 0);
  }
}

TEST_CASE("a seed shuffles the threads, each runs once, and again the same way") {
  std::vector<std::vector<unsigned>> orders;
  for (const uint64_t seed : {1, 2, 1}) {
    BlockScene scene(256, seed);
    std::vector<unsigned> order;
    REQUIRE(scene.run([&](BlockRunner& runner) {
      order.push_back(threadIdx.x);
      runner.barrier("k.cu", 1);
      order.push_back(threadIdx.x);
    }));
    REQUIRE(order.size() == 512);
    for (const auto half : {order.begin(), order.begin() + 256}) {
      std::vector<unsigned> sorted(half, half + 256);
      CHECK(sorted != numbers_up_to(256));
      std::sort(sorted.begin(), sorted.end());
      CHECK(sorted == numbers_up_to(256));
    }
    orders.push_back(order);
  }
  CHECK(orders[0] == orders[2]);
  CHECK(orders[0] != orders[1]);
}

TEST_CASE("blocks of one grid are shuffled differently") {
  std::vector<unsigned> orders[2];
  for (unsigned block : {0u, 1u}) {
    BlockScene scene(64, 5);
    REQUIRE(scene.run([&](BlockRunner&) { orders[block].push_back(threadIdx.x); }, {block, 0, 0}));
  }
  CHECK(orders[0] != orders[1]);
}

TEST_CASE("a sum by halves is right in every order") {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    BlockScene scene(128, seed);
    std::vector<unsigned> shared(128);
    REQUIRE(scene.run([&](BlockRunner& runner) {
      shared[threadIdx.x] = threadIdx.x;
      runner.barrier("k.cu", 1);
      for (unsigned width = 64; width > 0; width /= 2) {
        if (threadIdx.x < width) shared[threadIdx.x] += shared[threadIdx.x + width];
        runner.barrier("k.cu", 2);
      }
    }));
    CHECK(shared[0] == 127 * 128 / 2);
  }
}

TEST_CASE("a thread that gives way lets the others go on") {
  for (const uint64_t seed : {0, 1}) {
    BlockScene scene(64, seed);
    bool flag = false;
    unsigned seen = 0;
    REQUIRE(scene.run([&](BlockRunner& runner) {
      if (threadIdx.x == 63) flag = true;
      while (!flag) runner.yield();
      ++seen;
    }));
    CHECK(seen == 64);
  }
}

}  // namespace convkit::simt

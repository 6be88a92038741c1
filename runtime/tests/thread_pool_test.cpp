// SPDX-License-Identifier: MIT
#include "convkit/thread_pool.h"

#include <atomic>
#include <memory>
#include <stdexcept>

#include "catch.h"

namespace convkit {
namespace {

TEST_CASE("wait returns when every task has run") {
  ThreadPool pool(3);
  CHECK(pool.size() == 3);
  std::atomic<int> sum{0};
  for (int i = 1; i <= 100; ++i) pool.submit([&sum, i] { sum += i; });
  pool.wait();
  CHECK(sum == 5050);
  pool.wait();  // with nothing to wait for
}

TEST_CASE("tasks that were submitted run before the pool is gone") {
  std::atomic<int> count{0};
  {
    ThreadPool pool(2);
    for (int i = 0; i < 50; ++i) pool.submit([&count] { ++count; });
  }
  CHECK(count == 50);
}

TEST_CASE("what a task holds is released before wait returns") {
  ThreadPool pool(2);
  auto held = std::make_shared<int>(1);
  for (int i = 0; i < 20; ++i) pool.submit([held] {});
  pool.wait();
  CHECK(held.use_count() == 1);
}

TEST_CASE("an exception of a task is thrown by wait, once, and the pool goes on") {
  ThreadPool pool(2);
  std::atomic<int> count{0};
  pool.submit([] { throw std::runtime_error("first"); });
  for (int i = 0; i < 10; ++i) pool.submit([&count] { ++count; });
  CHECK_THROWS_WITH(pool.wait(), "first");
  CHECK(count == 10);
  CHECK_NOTHROW(pool.wait());
}

TEST_CASE("a task that waits for its own pool gets an error") {
  ThreadPool pool(1);
  pool.submit([&pool] { pool.wait(); });
  CHECK_THROWS_AS(pool.wait(), std::logic_error);
}

TEST_CASE("parallel_for visits every index once, whatever the grain") {
  ThreadPool pool(3);
  for (const int64_t count : {0, 1, 7, 1000}) {
    for (const int64_t grain : {-1, 1, 3, 1000, 5000}) {
      std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
      std::atomic<bool> too_large{false};
      pool.parallel_for(count, grain, [&](int64_t begin, int64_t end) {
        if (end - begin > std::max<int64_t>(grain, 1)) too_large = true;
        for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
      });
      CHECK_FALSE(too_large);
      CHECK(std::all_of(visits.begin(), visits.end(), [](const auto& n) { return n == 1; }));
    }
  }
}

TEST_CASE("parallel_for throws the body's exception and begins no new piece") {
  ThreadPool pool(1);
  std::atomic<int64_t> begun{0};
  CHECK_THROWS_WITH(pool.parallel_for(1000000, 1,
                                      [&](int64_t, int64_t) {
                                        ++begun;
                                        throw std::runtime_error("body");
                                      }),
                    "body");
  CHECK(begun <= 2);  // the caller's piece and the pool's
}

TEST_CASE("parallel_for may be nested in tasks that fill the pool") {
  ThreadPool pool(2);
  std::atomic<int64_t> sum{0};
  for (int task = 0; task < 8; ++task) {
    pool.submit([&] {
      pool.parallel_for(100, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
    });
  }
  pool.wait();
  CHECK(sum == 800);
}

TEST_CASE("a pool has at least one thread by default") {
  CHECK(ThreadPool().size() >= 1);
}

}  // namespace
}  // namespace convkit

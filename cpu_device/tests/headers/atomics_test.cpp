// SPDX-License-Identifier: MIT
// Atomic functions: what they return and leave behind, and that threads lose none of each other's.
#include "simt/atomics.h"

#include <limits>
#include <thread>
#include <vector>

#include "catch.h"

namespace convkit {
namespace {

// Runs `call` on an object that holds `before`; it must return that and leave `after`.
template <class Value, class Call>
void check(Value before, Value after, Call call) {
  Value object = before;
  CHECK(call(&object) == before);
  CHECK(object == after);
}

#define CONVKIT_CHECK(name, Value, before, argument, after)                                      \
  check<Value>(before, after, [](Value* at) { return name(at, static_cast<Value>(argument)); }); \
  check<Value>(before, after,                                                                    \
               [](Value* at) { return name##_block(at, static_cast<Value>(argument)); });        \
  check<Value>(before, after,                                                                    \
               [](Value* at) { return name##_system(at, static_cast<Value>(argument)); })

using ull = unsigned long long;
constexpr int kIntMax = std::numeric_limits<int>::max();
constexpr int kIntMin = std::numeric_limits<int>::min();

TEST_CASE("sums return the old value and wrap around") {
  CONVKIT_CHECK(atomicAdd, int, 5, -7, -2);
  CONVKIT_CHECK(atomicAdd, int, kIntMax, 1, kIntMin);
  CONVKIT_CHECK(atomicAdd, unsigned, 0xffffffffu, 2, 1u);
  CONVKIT_CHECK(atomicAdd, ull, 1ull << 40, -1, (1ull << 40) - 1);
  CONVKIT_CHECK(atomicAdd, float, 1.5f, 2.25, 3.75f);
  CONVKIT_CHECK(atomicAdd, float, 16777216.0f, 1, 16777216.0f);  // lost in float
  CONVKIT_CHECK(atomicAdd, double, 16777216.0, 1, 16777217.0);
  CONVKIT_CHECK(atomicSub, int, kIntMin, 1, kIntMax);
  CONVKIT_CHECK(atomicSub, unsigned, 1u, 2, 0xffffffffu);
}

TEST_CASE("vectors are added element by element") {
  float4 sum{1, 2, 3, 4};
  const float4 before = atomicAdd(&sum, float4{10, 20, 30, 40});
  CHECK((before.x == 1 && before.w == 4));
  CHECK((sum.x == 11 && sum.y == 22 && sum.z == 33 && sum.w == 44));
  float2 pair{1, 2};
  atomicAdd_system(&pair, float2{1, 1});
  CHECK((pair.x == 2 && pair.y == 3));
}

TEST_CASE("minima and maxima know signs") {
  CONVKIT_CHECK(atomicMin, int, 3, -1, -1);
  CONVKIT_CHECK(atomicMin, int, -3, 1, -3);
  CONVKIT_CHECK(atomicMin, unsigned, 3u, -1, 3u);
  CONVKIT_CHECK(atomicMin, long long, 3ll, -(1ll << 40), -(1ll << 40));
  CONVKIT_CHECK(atomicMin, ull, ~0ull, 1ull << 40, 1ull << 40);
  CONVKIT_CHECK(atomicMax, int, -3, 1, 1);
  CONVKIT_CHECK(atomicMax, unsigned, 3u, -1, 0xffffffffu);
  CONVKIT_CHECK(atomicMax, long long, -1ll, -2, -1ll);
  CONVKIT_CHECK(atomicMax, ull, 1ull, ~0ull, ~0ull);
}

TEST_CASE("bits are combined in all widths") {
  CONVKIT_CHECK(atomicAnd, int, 0b1100, 0b1010, 0b1000);
  CONVKIT_CHECK(atomicOr, unsigned, 0b1100u, 0b1010, 0b1110u);
  CONVKIT_CHECK(atomicXor, ull, 0b1100ull << 40, 0b1010ull << 40, 0b0110ull << 40);
  CONVKIT_CHECK(atomicAnd, long long, -1ll, 1ll << 50, 1ll << 50);
}

TEST_CASE("counters turn over at their limit") {
  CONVKIT_CHECK(atomicInc, unsigned, 0u, 3, 1u);
  CONVKIT_CHECK(atomicInc, unsigned, 2u, 3, 3u);
  CONVKIT_CHECK(atomicInc, unsigned, 3u, 3, 0u);
  CONVKIT_CHECK(atomicInc, unsigned, 9u, 3, 0u);
  CONVKIT_CHECK(atomicDec, unsigned, 3u, 3, 2u);
  CONVKIT_CHECK(atomicDec, unsigned, 0u, 3, 3u);
  CONVKIT_CHECK(atomicDec, unsigned, 9u, 3, 3u);
}

TEST_CASE("values are exchanged, and swapped only if they are what was expected") {
  CONVKIT_CHECK(atomicExch, int, 1, 2, 2);
  CONVKIT_CHECK(atomicExch, float, 1.0f, 2.5, 2.5f);
  CONVKIT_CHECK(atomicExch, ull, 1ull, 2, 2ull);
  check<int>(5, 6, [](int* at) { return atomicCAS(at, 5, 6); });
  check<int>(5, 5, [](int* at) { return atomicCAS_block(at, 4, 6); });
  check<unsigned>(5, 6, [](unsigned* at) { return atomicCAS_system(at, 5u, 6u); });
  check<ull>(1ull << 60, 6, [](ull* at) { return atomicCAS(at, 1ull << 60, 6ull); });
  check<unsigned short>(5, 6, [](unsigned short* at) {
    return atomicCAS(at, static_cast<unsigned short>(5), static_cast<unsigned short>(6));
  });
}

TEST_CASE("threads that add to one place lose nothing") {
  constexpr int kThreads = 4, kRounds = 20000;
  int sum = 0, largest = 0;
  unsigned turns = 0;
  float real_sum = 0;
  double double_sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        atomicAdd(&sum, 1);
        atomicMax(&largest, t * kRounds + i);
        atomicInc(&turns, 6);
        atomicAdd(&real_sum, 1.0f);
        atomicAdd(&double_sum, 0.5);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == kThreads * kRounds);
  CHECK(largest == kThreads * kRounds - 1);
  CHECK(turns == kThreads * kRounds % 7);
  CHECK(real_sum == kThreads * kRounds);
  CHECK(double_sum == kThreads * kRounds / 2);
}

}  // namespace
}  // namespace convkit

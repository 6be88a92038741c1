// SPDX-License-Identifier: MIT
// Shuffles, votes and reductions of a warp, and the barriers' arguments.
#include "simt/warp.h"

#include <array>
#include <cmath>
#include <cstring>

#include "catch.h"
#include "cuda_fp16.h"
#include "simt/barriers.h"
#include "simt/integer_intrinsics.h"
#include "warp_of_threads.h"

namespace convkit {
namespace {

using test::run_block;

constexpr unsigned kAll = 0xffffffffu;

// What each lane of a warp gets from `body(lane)`.
template <class Value, class Body>
std::array<Value, 32> on_warp(Body body, int lanes = 32) {
  std::array<Value, 32> results{};
  run_block(lanes, [&](int lane) { results[static_cast<size_t>(lane)] = body(lane); });
  return results;
}

// The lane read, as CUDA's programming guide tells it in words.
int source_in_words(char kind, int lane, int operand, int width) {
  const int first = lane / width * width;
  switch (kind) {
    case 'i':
      return first + ((operand % width) + width) % width;
    case 'u':
      return lane - operand >= first ? lane - operand : lane;
    case 'd':
      return lane + operand < first + width ? lane + operand : lane;
    default: {
      // Earlier groups can be read, later ones cannot.
      const int other = lane ^ operand;
      return other < first + width ? other : lane;
    }
  }
}

TEST_CASE("the four shuffles read the lane that the guide says, for every width") {
  for (const int width : {1, 2, 4, 8, 16, 32}) {
    for (const int operand : {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31}) {
      const auto index =
          on_warp<int>([&](int lane) { return __shfl_sync(kAll, lane * 10, operand, width); });
      const auto up = on_warp<int>([&](int lane) {
        return __shfl_up_sync(kAll, lane * 10, static_cast<unsigned>(operand), width);
      });
      const auto down = on_warp<int>([&](int lane) {
        return __shfl_down_sync(kAll, lane * 10, static_cast<unsigned>(operand), width);
      });
      const auto other =
          on_warp<int>([&](int lane) { return __shfl_xor_sync(kAll, lane * 10, operand, width); });
      for (int lane = 0; lane < 32; ++lane) {
        const auto at = static_cast<size_t>(lane);
        REQUIRE(index[at] == 10 * source_in_words('i', lane, operand, width));
        REQUIRE(up[at] == 10 * source_in_words('u', lane, operand, width));
        REQUIRE(down[at] == 10 * source_in_words('d', lane, operand, width));
        REQUIRE(other[at] == 10 * source_in_words('x', lane, operand, width));
      }
    }
  }
}

TEST_CASE("each lane may name another source, also a negative one") {
  const auto reversed = on_warp<int>([](int lane) { return __shfl_sync(kAll, lane, 31 - lane); });
  const auto last = on_warp<int>([](int lane) { return __shfl_sync(kAll, lane, -1, 8); });
  for (int lane = 0; lane < 32; ++lane) {
    REQUIRE(reversed[static_cast<size_t>(lane)] == 31 - lane);
    REQUIRE(last[static_cast<size_t>(lane)] == (lane | 7));
  }
}

template <class Value>
void check_type(Value (*make)(int)) {
  const auto got = on_warp<Value>([&](int lane) { return __shfl_xor_sync(kAll, make(lane), 5); });
  for (int lane = 0; lane < 32; ++lane) {
    const Value expected = make(lane ^ 5);
    REQUIRE(std::memcmp(&got[static_cast<size_t>(lane)], &expected, sizeof(Value)) == 0);
  }
}

TEST_CASE("values of every type pass whole") {
  check_type<int>([](int lane) { return -lane; });
  check_type<unsigned>([](int lane) { return ~static_cast<unsigned>(lane); });
  check_type<long>([](int lane) { return -(1l << lane); });
  check_type<unsigned long>([](int lane) { return ~(1ul << lane); });
  check_type<long long>([](int lane) { return -(1ll << 2 * lane); });
  check_type<unsigned long long>([](int lane) { return ~(1ull << 2 * lane); });
  check_type<float>([](int lane) { return 1.0f / static_cast<float>(lane + 1); });
  check_type<double>([](int lane) { return 1.0 / (lane + 1); });
  check_type<half>([](int lane) { return half(0.1f * static_cast<float>(lane)); });
  check_type<half2>([](int lane) { return half2(half(lane), half(-lane)); });
}

TEST_CASE("a value from a lane that does not take part has all bits set") {
  const auto got = on_warp<float>(
      [](int lane) { return lane < 16 ? __shfl_down_sync(0x0000ffffu, 1.0f, 8) : 0.0f; });
  CHECK(got[7] == 1);
  CHECK(std::isnan(got[8]));
  const auto small = on_warp<int>([](int lane) { return __shfl_sync(kAll, lane, 20); }, 16);
  CHECK(small[3] == -1);
}

TEST_CASE("parts of a warp shuffle at the same time") {
  const auto got = on_warp<int>([](int lane) {
    const unsigned mask = lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
    return __shfl_sync(mask, lane, lane % 2 == 0 ? 2 : 31);
  });
  CHECK((got[0] == 2 && got[30] == 2 && got[1] == 31 && got[29] == 31));
}

TEST_CASE("votes count the lanes that take part") {
  const auto even = [](int lane) { return lane % 2 == 0; };
  for (const unsigned got :
       on_warp<unsigned>([&](int lane) { return __ballot_sync(kAll, even(lane)); })) {
    REQUIRE(got == 0x55555555u);
  }
  CHECK(on_warp<int>([&](int lane) { return __any_sync(kAll, lane == 3); })[17] == 1);
  CHECK(on_warp<int>([&](int) { return __any_sync(kAll, 0); })[17] == 0);
  CHECK(on_warp<int>([&](int lane) { return __all_sync(kAll, lane != 3); })[17] == 0);
  CHECK(on_warp<int>([&](int lane) { return __all_sync(kAll, lane + 256); })[17] == 1);
  // Lanes beyond the block's end and lanes outside the mask have no vote.
  CHECK(on_warp<int>([&](int) { return __all_sync(kAll, 1); }, 20)[17] == 1);
  CHECK(on_warp<unsigned>([&](int) { return __ballot_sync(kAll, 1); }, 20)[17] == 0xfffffu);
  const auto some = on_warp<unsigned>(
      [&](int lane) { return even(lane) ? __ballot_sync(0x55555555u, lane > 15) : 7u; });
  CHECK((some[0] == 0x55550000u && some[1] == 7u));
}

TEST_CASE("matches compare bits") {
  const auto any =
      on_warp<unsigned>([](int lane) { return __match_any_sync(kAll, lane % 3 * 1.5); });
  CHECK((any[0] == 0x49249249u && any[1] == 0x92492492u && any[5] == 0x24924924u));
  const auto zeros =
      on_warp<unsigned>([](int lane) { return __match_any_sync(kAll, lane == 0 ? -0.0f : 0.0f); });
  CHECK((zeros[0] == 1u && zeros[1] == 0xfffffffeu));
  int equal[32] = {};
  const auto all =
      on_warp<unsigned>([&](int lane) { return __match_all_sync(kAll, 7ll << 40, &equal[lane]); });
  CHECK((all[9] == kAll && equal[9] == 1));
  const auto differ =
      on_warp<unsigned>([&](int lane) { return __match_all_sync(kAll, lane == 4, &equal[lane]); });
  CHECK((differ[9] == 0 && equal[9] == 0));
}

TEST_CASE("reductions combine all lanes, as signed or unsigned numbers") {
  const auto spread = [](int lane) { return lane * 7 % 32 - 16; };
  CHECK(on_warp<int>([&](int lane) { return __reduce_add_sync(kAll, spread(lane)); })[5] == -16);
  CHECK(on_warp<int>([&](int lane) { return __reduce_min_sync(kAll, spread(lane)); })[5] == -16);
  CHECK(on_warp<int>([&](int lane) { return __reduce_max_sync(kAll, spread(lane)); })[5] == 15);
  const auto bits = [&](int lane) { return static_cast<unsigned>(spread(lane)); };
  CHECK(on_warp<unsigned>([&](int lane) { return __reduce_max_sync(kAll, bits(lane)); })[5] ==
        kAll);
  CHECK(on_warp<unsigned>([&](int lane) { return __reduce_min_sync(kAll, bits(lane)); })[5] == 0);
  CHECK(on_warp<unsigned>([](int lane) { return __reduce_or_sync(kAll, 1u << lane); })[5] == kAll);
  CHECK(on_warp<unsigned>([](int lane) { return __reduce_and_sync(kAll, ~(1u << lane)); })[5] == 0);
  CHECK(on_warp<unsigned>([](int lane) { return __reduce_xor_sync(kAll, 1u << lane % 16); })[5] ==
        0);
  CHECK(on_warp<unsigned>([](int lane) {
          return lane < 4 ? __reduce_add_sync(0xfu, static_cast<unsigned>(lane)) : 0u;
        })[3] == 6);
}

TEST_CASE("barriers count their threads and everything that waits names its line") {
  std::array<int, 40> counts{}, all{}, any{};
  run_block(40, [&](int thread) {
    const auto at = static_cast<size_t>(thread);
    counts[at] = __syncthreads_count(thread % 4);
    all[at] = __syncthreads_and(thread != 7);
    any[at] = __syncthreads_or(thread == 7);
    __syncwarp();
    __syncthreads();
  });
  CHECK((counts[3] == 30 && all[3] == 0 && any[3] == 1));
  test::LastSite site{};
  run_block(1, [&](int) {
    __syncthreads();
    site = test::last_site();
  });
  CHECK((std::strcmp(site.file, __FILE__) == 0 && site.line == __LINE__ - 3));
  run_block(1, [&](int) {
    (void)__shfl_sync(1u, 2.0f, 0);
    site = test::last_site();
  });
  CHECK((std::strcmp(site.file, __FILE__) == 0 && site.line == __LINE__ - 3));
}

TEST_CASE("__nanosleep sleeps at least as long as asked, and clocks run forward") {
  run_block(1, [](int) {
    const unsigned long long begin_ns = simt::monotonic_ns();
    const long long begin = clock64();
    __nanosleep(2000000);
    CHECK(simt::monotonic_ns() - begin_ns >= 2000000);
    CHECK(clock64() > begin);
  });
}

}  // namespace
}  // namespace convkit

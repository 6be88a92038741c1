// SPDX-License-Identifier: MIT
// Cooperative groups: ranks, sizes, collectives of tiles and coalesced groups, reductions and
// scans.
#include <array>
#include <cstring>

#include "catch.h"
#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"
#include "warp_of_threads.h"

namespace cg = cooperative_groups;

namespace convkit {
namespace {

using test::run_block;

TEST_CASE("a block knows its threads") {
  std::array<unsigned, 40> ranks{};
  run_block(40, [&](int thread) {
    const cg::thread_block block = cg::this_thread_block();
    ranks[static_cast<size_t>(thread)] = block.thread_rank() * 100 + block.size();
    cg::thread_group group = block;
    group.sync();
    block.sync();
    cg::sync(block);
    ranks[static_cast<size_t>(thread)] += static_cast<unsigned>(group.thread_rank()) * 10000;
  });
  CHECK(ranks[33] == 333340);
}

TEST_CASE("tiles know their place, also tiles of tiles") {
  std::array<std::array<unsigned, 8>, 64> seen{};
  run_block(64, [&](int thread) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    const auto small = cg::tiled_partition<4>(tile);
    const cg::thread_block_tile<4> any_parent = small;
    const cg::thread_group dynamic = cg::tiled_partition(block, 8);
    seen[static_cast<size_t>(thread)] = {tile.thread_rank(),
                                         tile.meta_group_rank(),
                                         tile.meta_group_size(),
                                         small.thread_rank(),
                                         small.meta_group_rank(),
                                         any_parent.meta_group_size(),
                                         static_cast<unsigned>(dynamic.thread_rank()),
                                         static_cast<unsigned>(dynamic.size())};
    dynamic.sync();
    tile.sync();
  });
  CHECK(seen[45] == std::array<unsigned, 8>{13, 2, 4, 1, 3, 4, 5, 8});
  static_assert(cg::thread_block_tile<8>::size() == 8);
}

struct Large {
  double a;
  int b[4];
};

TEST_CASE("tiles shuffle and vote among themselves") {
  std::array<std::array<int, 8>, 32> seen{};
  std::array<Large, 32> large{};
  run_block(32, [&](int thread) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int equal = 0;
    seen[static_cast<size_t>(thread)] = {tile.shfl(thread, 3),
                                         tile.shfl_up(thread, 2),
                                         tile.shfl_down(thread, 2),
                                         tile.shfl_xor(thread, 1),
                                         static_cast<int>(tile.ballot(thread % 8 == 5)),
                                         tile.any(thread == 9) * 2 + tile.all(thread < 16),
                                         static_cast<int>(tile.match_any(thread % 2)),
                                         static_cast<int>(tile.match_all(7, equal)) + equal * 1000};
    const Large mine{thread + 0.5, {thread, thread + 1, thread + 2, thread + 3}};
    large[static_cast<size_t>(thread)] = tile.shfl(mine, 7);
  });
  CHECK(seen[8] == std::array<int, 8>{11, 8, 10, 9, 32, 3, 0x55, 1255});
  CHECK(seen[31] == std::array<int, 8>{27, 29, 31, 30, 32, 0, 0xaa, 1255});
  CHECK((large[18].a == 23.5 && large[18].b[3] == 26));
}

TEST_CASE("coalesced threads have ranks of their own") {
  std::array<std::array<int, 8>, 32> seen{};
  run_block(20, [&](int thread) {
    const cg::coalesced_group all(0xfffffu);
    if (thread % 2 == 0) {
      const cg::coalesced_group group(0x55555u);
      const cg::coalesced_group part = cg::tiled_partition(group, 4);
      seen[static_cast<size_t>(thread)] = {static_cast<int>(group.thread_rank()),
                                           static_cast<int>(group.size()),
                                           group.shfl(thread, 2),
                                           group.shfl_up(thread, 1),
                                           group.shfl_down(thread, 1),
                                           static_cast<int>(group.ballot(thread >= 4)),
                                           static_cast<int>(part.thread_rank()),
                                           static_cast<int>(part.size())};
    }
    const cg::coalesced_group same = cg::labeled_partition(all, thread / 7);
    if (thread == 15) {
      seen[31] = {static_cast<int>(same.thread_rank()), static_cast<int>(same.size()),
                  static_cast<int>(same.meta_group_rank()),
                  static_cast<int>(same.meta_group_size())};
    }
  });
  CHECK(seen[0] == std::array<int, 8>{0, 10, 4, 0, 2, 0x3fc, 0, 4});
  CHECK(seen[18] == std::array<int, 8>{9, 10, 4, 16, 18, 0x3fc, 1, 2});
  CHECK(seen[31] == std::array<int, 8>{1, 6, 2, 3, 0, 0, 0, 0});
}

TEST_CASE("reductions and scans over tiles and coalesced threads") {
  std::array<std::array<int, 8>, 32> seen{};
  float sums[32];
  run_block(32, [&](int thread) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    seen[static_cast<size_t>(thread)] = {cg::reduce(tile, thread, cg::plus<int>()),
                                         cg::reduce(tile, thread ^ 5, cg::less<int>()),
                                         cg::reduce(tile, thread ^ 5, cg::greater<int>()),
                                         cg::reduce(tile, 1 << thread % 8, cg::bit_or<int>()),
                                         cg::inclusive_scan(tile, thread),
                                         cg::exclusive_scan(tile, 2),
                                         cg::inclusive_scan(tile, 40 - thread, cg::less<int>()),
                                         0};
    // In CUDA's order: halves first, so big and small terms meet late.
    sums[thread] = cg::reduce(tile, thread % 16 < 8 ? 1e8f : 1.0f, cg::plus<float>());
    if (thread < 12) {
      const cg::coalesced_group group(0xfffu);
      seen[static_cast<size_t>(thread)][7] =
          cg::reduce(group, thread, cg::plus<int>()) * 100 + cg::exclusive_scan(group, 1);
    }
  });
  CHECK(seen[3] == std::array<int, 8>{120, 0, 15, 255, 6, 6, 37, 6603});
  CHECK(seen[31] == std::array<int, 8>{376, 16, 31, 255, 376, 30, 9, 0});
  float terms[16];
  for (int i = 0; i < 16; ++i) terms[i] = i < 8 ? 1e8f : 1.0f;
  for (int distance = 8; distance > 0; distance /= 2) {
    for (int i = 0; i < distance; ++i) terms[i] += terms[i + distance];
  }
  CHECK(sums[0] == terms[0]);
}

TEST_CASE("a group copies together") {
  std::array<char, 30> from{}, to{};
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i + 1);
  run_block(4, [&](int) {
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, to.data(), from.data(), 29);
    cg::wait(block);
  });
  CHECK(std::memcmp(to.data(), from.data(), 29) == 0);
  CHECK(to[29] == 0);
}

TEST_CASE("each call of memcpy_async is a stage for every thread of the group") {
  const std::array<int, 2> from{1, 2};
  std::array<int, 2> to{};
  std::array<std::array<int, 2>, 4> seen{};  // after each step
  run_block(4, [&](int thread) {
    const auto block = cg::this_thread_block();
    const auto look = [&](size_t step) {
      if (thread == 0) seen[step] = to;
      block.sync();
    };
    // Thread 0 copies all of it; the others have no part.
    cg::memcpy_async(block, &to[0], &from[0], sizeof(int));
    cg::memcpy_async(block, &to[1], &from[1], sizeof(int));
    block.sync();
    look(0);
    cg::wait_prior<2>(block);
    look(1);
    cg::wait_prior<1>(block);
    look(2);
    cg::memcpy_async(block, &to[0], &from[0], 0);
    cg::wait_prior<1>(block);
    look(3);
  });
  const std::array<std::array<int, 2>, 4> expected{{{0, 0}, {0, 0}, {1, 0}, {1, 2}}};
  CHECK(seen == expected);
}

}  // namespace
}  // namespace convkit

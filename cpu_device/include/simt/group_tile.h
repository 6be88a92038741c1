// SPDX-License-Identifier: MIT
// Cooperative groups: tiles of 1, 2, 4 ... 32 neighbouring lanes of a warp.
#pragma once

#include "simt/group_block.h"
#include "simt/group_shuffles.h"
#include "simt/votes.h"

namespace cooperative_groups {

// `Parent` is what was partitioned; a tile of any parent converts to one that does not say (void).
template <unsigned tile_size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(tile_size > 0 && (tile_size & (tile_size - 1)) == 0,
                "the size of a tile is a power of two");
  static_assert(tile_size <= 32, "on the CPU device a tile has at most 32 threads, one warp");

 public:
  // By way of tiled_partition().
  thread_block_tile(unsigned meta_group_rank, unsigned meta_group_size)
      : thread_group(lanes_of_tile(), convkit_simt_lane() % tile_size, tile_size),
        meta_rank_(meta_group_rank),
        meta_size_(meta_group_size) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<tile_size, Other>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

  static constexpr unsigned size() { return tile_size; }
  static constexpr unsigned num_threads() { return tile_size; }
  unsigned thread_rank() const { return rank_; }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }
  void sync(CONVKIT_SIMT_SITE) const { __syncwarp(lanes_, CONVKIT_SIMT_AT); }

  template <class Value>
  Value shfl(Value value, int source_rank, CONVKIT_SIMT_SITE) const {
    return exchange<convkit::simt::kShuffle>(value, static_cast<unsigned>(source_rank),
                                             CONVKIT_SIMT_AT);
  }
  template <class Value>
  Value shfl_up(Value value, unsigned distance, CONVKIT_SIMT_SITE) const {
    return exchange<convkit::simt::kShuffleUp>(value, distance, CONVKIT_SIMT_AT);
  }
  template <class Value>
  Value shfl_down(Value value, unsigned distance, CONVKIT_SIMT_SITE) const {
    return exchange<convkit::simt::kShuffleDown>(value, distance, CONVKIT_SIMT_AT);
  }
  template <class Value>
  Value shfl_xor(Value value, unsigned lane_mask, CONVKIT_SIMT_SITE) const {
    return exchange<convkit::simt::kShuffleXor>(value, lane_mask, CONVKIT_SIMT_AT);
  }

  int any(int predicate, CONVKIT_SIMT_SITE) const {
    return __any_sync(lanes_, predicate, CONVKIT_SIMT_AT);
  }
  int all(int predicate, CONVKIT_SIMT_SITE) const {
    return __all_sync(lanes_, predicate, CONVKIT_SIMT_AT);
  }
  // Bit i of these is the tile's thread i.
  unsigned ballot(int predicate, CONVKIT_SIMT_SITE) const {
    return in_tile(__ballot_sync(lanes_, predicate, CONVKIT_SIMT_AT));
  }
  template <class Value>
  unsigned match_any(Value value, CONVKIT_SIMT_SITE) const {
    return in_tile(__match_any_sync(lanes_, value, CONVKIT_SIMT_AT));
  }
  template <class Value>
  unsigned match_all(Value value, int& all_equal, CONVKIT_SIMT_SITE) const {
    return in_tile(__match_all_sync(lanes_, value, &all_equal, CONVKIT_SIMT_AT));
  }

 private:
  static unsigned lanes_of_tile() {
    const unsigned first = convkit_simt_lane() & ~(tile_size - 1);
    return 0xffffffffu >> (32 - tile_size) << first;
  }
  unsigned in_tile(unsigned lanes) const { return lanes >> __builtin_ctz(lanes_); }

  template <convkit::simt::WarpKind kind, class Value>
  Value exchange(const Value& value, unsigned operand, const char* file, int line) const {
    return convkit::simt::shuffle_any<kind>(lanes_, value, operand, static_cast<int>(tile_size),
                                            file, line);
  }

  unsigned meta_rank_, meta_size_;
};

template <unsigned tile_size, class Parent>
static inline thread_block_tile<tile_size, Parent> tiled_partition(const Parent& parent) {
  const unsigned parent_size = static_cast<unsigned>(parent.num_threads());
  return thread_block_tile<tile_size, Parent>(
      static_cast<unsigned>(parent.thread_rank()) / tile_size,
      (parent_size + tile_size - 1) / tile_size);
}

static inline thread_block_tile<1> this_thread() {
  return thread_block_tile<1>(0, 1);
}

// With a size that is known only when the kernel runs.
inline thread_group tiled_partition(const thread_group& parent, unsigned tile_size) {
  const unsigned lane = convkit_simt_lane();
  const unsigned first = lane - parent.rank_ % tile_size;
  unsigned lanes = tile_size >= 32 ? 0xffffffffu : ((1u << tile_size) - 1) << first;
  if (parent.lanes_ != 0) lanes &= parent.lanes_;
  return thread_group(lanes, parent.rank_ % tile_size, tile_size);
}

}  // namespace cooperative_groups

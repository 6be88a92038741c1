// SPDX-License-Identifier: MIT
// Cooperative groups: the lanes of a warp that happen to run together, and groups made of them.
#pragma once

#include "simt/group_tile.h"
#include "simt/integer_intrinsics.h"

namespace cooperative_groups {

class coalesced_group : public thread_group {
 public:
  explicit coalesced_group(unsigned lanes, unsigned meta_group_rank = 0,
                           unsigned meta_group_size = 1)
      : thread_group(lanes, rank_among(lanes), static_cast<unsigned>(__popc(lanes))),
        meta_rank_(meta_group_rank),
        meta_size_(meta_group_size) {}

  unsigned size() const { return size_; }
  unsigned num_threads() const { return size_; }
  unsigned thread_rank() const { return rank_; }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }
  void sync(CONVKIT_SIMT_SITE) const { __syncwarp(lanes_, CONVKIT_SIMT_AT); }

  template <class Value>
  Value shfl(Value value, unsigned source_rank, CONVKIT_SIMT_SITE) const {
    return read_from(value, __fns(lanes_, 0, static_cast<int>(source_rank) + 1), CONVKIT_SIMT_AT);
  }
  template <class Value>
  Value shfl_up(Value value, unsigned distance, CONVKIT_SIMT_SITE) const {
    const unsigned source = distance <= rank_ ? rank_ - distance : rank_;
    return shfl(value, source, CONVKIT_SIMT_AT);
  }
  template <class Value>
  Value shfl_down(Value value, unsigned distance, CONVKIT_SIMT_SITE) const {
    const unsigned source = rank_ + distance < size_ ? rank_ + distance : rank_;
    return shfl(value, source, CONVKIT_SIMT_AT);
  }

  int any(int predicate, CONVKIT_SIMT_SITE) const {
    return __any_sync(lanes_, predicate, CONVKIT_SIMT_AT);
  }
  int all(int predicate, CONVKIT_SIMT_SITE) const {
    return __all_sync(lanes_, predicate, CONVKIT_SIMT_AT);
  }
  // Bit i of these is the group's thread i.
  unsigned ballot(int predicate, CONVKIT_SIMT_SITE) const {
    return ranks_of(__ballot_sync(lanes_, predicate, CONVKIT_SIMT_AT));
  }
  template <class Value>
  unsigned match_any(Value value, CONVKIT_SIMT_SITE) const {
    return ranks_of(__match_any_sync(lanes_, value, CONVKIT_SIMT_AT));
  }
  template <class Value>
  unsigned match_all(Value value, int& all_equal, CONVKIT_SIMT_SITE) const {
    return ranks_of(__match_all_sync(lanes_, value, &all_equal, CONVKIT_SIMT_AT));
  }

  // The members of this group that gave the same label.
  template <class Label>
  coalesced_group with_label(Label label, const char* file, int line) const {
    const unsigned same = __match_any_sync(lanes_, label, file, line);
    // Groups are numbered in the order of their first members.
    const bool first = convkit_simt_lane() == static_cast<unsigned>(__builtin_ctz(same));
    const unsigned firsts = __ballot_sync(lanes_, first, file, line);
    const unsigned before = (1u << __builtin_ctz(same)) - 1;
    return coalesced_group(same, static_cast<unsigned>(__popc(firsts & before)),
                           static_cast<unsigned>(__popc(firsts)));
  }

  // The members whose rank lies in the same stretch of `tile_size` ranks.
  coalesced_group tile(unsigned tile_size) const {
    const unsigned mine = rank_ / tile_size;
    unsigned members = 0;
    for (unsigned lane = 0, rank = 0; lane < 32; ++lane) {
      if ((lanes_ >> lane & 1u) == 0) continue;
      if (rank++ / tile_size == mine) members |= 1u << lane;
    }
    return coalesced_group(members, mine, (size_ + tile_size - 1) / tile_size);
  }

 private:
  static unsigned rank_among(unsigned lanes) {
    return static_cast<unsigned>(__popc(lanes & ((1u << convkit_simt_lane()) - 1)));
  }
  unsigned ranks_of(unsigned lanes) const {
    unsigned ranks = 0;
    for (unsigned lane = 0, rank = 0; lane < 32; ++lane) {
      if ((lanes_ >> lane & 1u) != 0) ranks |= (lanes >> lane & 1u) << rank++;
    }
    return ranks;
  }
  template <class Value>
  Value read_from(const Value& value, unsigned lane, const char* file, int line) const {
    return convkit::simt::shuffle_any<convkit::simt::kShuffle>(lanes_, value, lane, 32, file, line);
  }

  unsigned meta_rank_, meta_size_;
};

static inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

static inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned tile_size) {
  return parent.tile(tile_size);
}

template <class Label>
static inline coalesced_group labeled_partition(const coalesced_group& group, Label label,
                                                CONVKIT_SIMT_SITE) {
  return group.with_label(label, CONVKIT_SIMT_AT);
}
template <class Label, unsigned tile_size, class Parent>
static inline coalesced_group labeled_partition(const thread_block_tile<tile_size, Parent>& tile,
                                                Label label, CONVKIT_SIMT_SITE) {
  return coalesced_group(tile.lanes()).with_label(label, CONVKIT_SIMT_AT);
}
template <class Group>
static inline coalesced_group binary_partition(const Group& group, bool predicate,
                                               CONVKIT_SIMT_SITE) {
  return labeled_partition(group, static_cast<int>(predicate), CONVKIT_SIMT_AT);
}

// One thread of the group calls the function; with _broadcast all get what it returns.
template <class Group, class Function, class... Arguments>
static inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  }
}
template <class Group, class Function, class... Arguments>
static inline auto invoke_one_broadcast(const Group& group, Function&& function,
                                        Arguments&&... arguments)
    -> decltype(function(arguments...)) {
  decltype(function(arguments...)) result{};
  if (group.thread_rank() == 0) {
    result = static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  }
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

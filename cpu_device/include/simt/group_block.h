// SPDX-License-Identifier: MIT
// Cooperative groups: the block, the grid, and thread_group, which any group of a block can be
// handed over as.
#pragma once

#include "simt/barriers.h"
#include "simt/builtin_variables.h"
#include "simt/device_side.h"

namespace cooperative_groups {

class thread_block;
static inline thread_block this_thread_block();

// A block (its lanes are 0), or some lanes of the warp.
class thread_group {
 public:
  unsigned long long size() const { return size_; }
  unsigned long long num_threads() const { return size_; }
  unsigned long long thread_rank() const { return rank_; }
  // The kit's own: its lanes, if it is part of a warp.
  unsigned lanes() const { return lanes_; }
  void sync(CONVKIT_SIMT_SITE) const {
    if (lanes_ == 0) {
      __syncthreads(CONVKIT_SIMT_AT);
    } else {
      __syncwarp(lanes_, CONVKIT_SIMT_AT);
    }
  }

 protected:
  thread_group(unsigned lanes, unsigned rank, unsigned size)
      : lanes_(lanes), rank_(rank), size_(size) {}

  unsigned lanes_, rank_, size_;

  friend thread_group tiled_partition(const thread_group& parent, unsigned tile_size);
};

class thread_block : public thread_group {
 public:
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  static void sync(CONVKIT_SIMT_SITE) { __syncthreads(CONVKIT_SIMT_AT); }
  // The barrier in two steps. All of it is in the second, as late as CUDA allows.
  class arrival_token {};
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, CONVKIT_SIMT_SITE) { __syncthreads(CONVKIT_SIMT_AT); }

 private:
  thread_block() : thread_group(0, thread_rank(), size()) {}
  friend thread_block this_thread_block();
};

static inline thread_block this_thread_block() {
  return thread_block();
}

class grid_group {
 public:
  // Whether the grid can wait for itself: after cudaLaunchCooperativeKernel(), not after <<< >>>.
  bool is_valid() const { return convkit_simt_is_cooperative() != 0; }
  void sync(CONVKIT_SIMT_SITE) const { convkit_simt_grid_barrier(CONVKIT_SIMT_AT); }
  class arrival_token {};
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&, CONVKIT_SIMT_SITE) const { sync(CONVKIT_SIMT_AT); }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
  static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
};

static inline grid_group this_grid() {
  return grid_group();
}

// The group's member functions as free ones.
template <class Group>
static inline void sync(const Group& group, CONVKIT_SIMT_SITE) {
  group.sync(CONVKIT_SIMT_AT);
}
template <class Group>
static inline auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
static inline auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

}  // namespace cooperative_groups

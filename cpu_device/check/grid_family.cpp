// SPDX-License-Identifier: MIT
#include "cpu_device/check/grid_family.h"

#include "cpu_device/check/order.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/stream_order.h"

namespace convkit::simt::check {
namespace {

unsigned depth(const Birth* birth) {
  return birth == nullptr ? 0 : birth->depth;
}

bool in_one_stream(const Birth& one, const Birth& other) {
  return one.stream == other.stream && one.stream != cudaStreamFireAndForget &&
         one.block_begin == other.block_begin;
}

}  // namespace

std::shared_ptr<const void> child_queued(const Grid& parent, const Grid&, cudaStream_t stream) {
  auto birth = std::make_shared<Birth>();
  birth->event = next_event();  // first: it may give events other numbers
  birth->parent = std::static_pointer_cast<const Birth>(parent.birth);
  birth->depth = depth(birth->parent.get()) + 1;
  birth->launcher = number_of_running_launch();
  birth->stream = stream;
  birth->thread = *present.thread;
  birth->grid_met = event_of(present.launch_floor);
  birth->block_begin = present.block_begin;
  birth->barrier = event_of(present.barrier_floor);
  birth->warp_met = warp_met_at(birth->thread);
  birth->knows_all = present.in_pieces || knows_by_other_means();
  return birth;
}

Kinship kinship(uint64_t number, const Birth* birth, const Birth* running, const Birth** child) {
  const Birth *one = birth, *other = running;
  const Birth *below_one = nullptr, *below_other = nullptr;
  const auto climb = [](const Birth*& at, const Birth*& below) {
    below = at;
    at = at->parent.get();
  };
  while (depth(one) > depth(other)) climb(one, below_one);
  while (depth(other) > depth(one)) climb(other, below_other);
  while (one != other) {
    climb(one, below_one);
    climb(other, below_other);
  }
  if (below_other == nullptr) return Kinship::before;  // its place was there, or below
  *child = below_other;
  if (below_one == nullptr) {
    return below_other->launcher == number ? Kinship::parent : Kinship::before;
  }
  const bool one_parent = below_one->launcher == below_other->launcher;
  return one_parent && !in_one_stream(*below_one, *below_other) ? Kinship::sibling
                                                                : Kinship::before;
}

bool comes_before(Stamp access_of_parent, const Birth& child) {
  const uint32_t event = event_of(access_of_parent);
  if (event >= child.event) return false;
  if (child.knows_all || event < child.grid_met) return true;
  if (event < child.block_begin || (access_of_parent & kOtherBlocks)) return false;
  if (event < child.barrier) return true;
  const unsigned thread = thread_of(access_of_parent);
  if (access_of_parent & kSeveralWarps) return false;
  if (thread / 32 == child.thread / 32 && event < child.warp_met) return true;
  return thread == child.thread && !(access_of_parent & kSeveralLanes);
}

}  // namespace convkit::simt::check

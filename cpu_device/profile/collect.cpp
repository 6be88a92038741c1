// SPDX-License-Identifier: MIT
#include "cpu_device/profile/collect.h"

#include <algorithm>
#include <bit>

namespace convkit::simt::profile {
namespace {

// An address beyond so many is not watched for contention: it is not the only one.
constexpr size_t kMostAddresses = size_t{1} << 16;

}  // namespace

Sums& Sums::operator+=(const Sums& other) {
  requests += other.requests;
  lanes += other.lanes;
  possible_lanes += other.possible_lanes;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  used_bytes += other.used_bytes;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
  addresses += other.addresses;
  passes += other.passes;
  words += other.words;
  hottest = std::max(hottest, other.hottest);
  return *this;
}

void Collector::begin_block(unsigned threads) {
  // The block before may have been abandoned.
  for (unsigned warp = 0; warp < warps_.size(); ++warp) warp_meets(warp);
  lately_.fill({});
  warps_.resize((threads + kLanes - 1) / kLanes);
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    warps_[warp].lanes = std::min(kLanes, threads - warp * kLanes);
  }
  last_warp_ = 0;
}

unsigned Collector::number_of(Instruction instruction) {
  const auto [found, is_new] = numbers_.try_emplace(instruction, counted_.size());
  if (is_new) counted_.push_back({instruction, {}, {}});
  return found->second;
}

unsigned Collector::Pending::find(unsigned lane, uint64_t path, unsigned& before) const {
  before = kNone;
  const auto begin = first.find(path);
  if (begin == first.end()) return kNone;
  // What the lane made last may be far behind the first.
  const bool goes_on = next[lane] != 0 && executions[next[lane] - 1].path == path;
  unsigned n = goes_on ? next[lane] - 1 : begin->second;
  while (n != kNone && has(n, lane)) {
    before = n;
    n = executions[n].after;
  }
  return n;
}

void Collector::first_access(unsigned thread, Instruction instruction, uint64_t path, uintptr_t at,
                             unsigned size) {
  const unsigned number = number_of(instruction), warp_number = thread / kLanes;
  if (warp_number >= warps_.size()) return;
  if (warp_number != last_warp_) {
    last_warp_ = warp_number;
    // Most often the warps before have come to the block's end, or to a barrier.
    if (requests_ > usual_most_) block_meets();
  }
  Warp& warp = warps_[warp_number];
  if (warp.instructions.size() <= number) {
    warp.instructions.resize(number + 1);
    lately_.fill({});  // they have moved
  }
  Pending& pending = warp.instructions[number];
  known_of(instruction) = {instruction, warp_number, &pending};
  const unsigned lane = thread % kLanes;
  unsigned before, n = pending.find(lane, path, before);
  if (n == kNone) {
    if (warp.requests == most_of_warp_) {
      ++left_out_;
      return;
    }
    n = static_cast<unsigned>(pending.executions.size());
    pending.executions.push_back({path, before});
    (before == kNone ? pending.first[path] : pending.executions[before].after) = n;
    ++warp.requests;
    ++requests_;
  }
  pending.next[lane] = n + 1;
  pending.executions[n].request.add(lane, at, size);
}

void Collector::count(const Request& request, unsigned possible_lanes, Counted& counted) {
  Sums& sums = counted.sums;
  const Kind kind = counted.instruction.kind;
  if (kind == Kind::global_load || kind == Kind::global_atomic) loaded_.add(request);
  if (kind == Kind::global_store || kind == Kind::global_atomic) stored_.add(request);
  ++sums.requests;
  sums.lanes += static_cast<unsigned>(std::popcount(request.mask));
  sums.possible_lanes += possible_lanes;
  if (is_atomic(kind)) {
    const AtomicCost cost = atomic_cost(request);
    sums.addresses += cost.addresses;
    sums.passes += cost.passes;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(request.mask >> lane & 1)) continue;
      const uintptr_t at = request.address[lane];
      const auto known = counted.addresses.find(at);
      if (known != counted.addresses.end()) {
        sums.hottest = std::max(sums.hottest, ++known->second);
      } else if (counted.addresses.size() < kMostAddresses) {
        counted.addresses.emplace(at, 1);
        sums.hottest = std::max<uint64_t>(sums.hottest, 1);
      }
    }
  } else if (is_shared(kind)) {
    const SharedCost cost = shared_cost(request);
    sums.wavefronts += cost.wavefronts;
    sums.conflicts += cost.conflicts;
  } else if (kind == Kind::constant_load) {
    sums.words += words_loaded(request);
  } else {
    const GlobalCost cost = global_cost(request);
    sums.sectors += cost.sectors;
    sums.ideal_sectors += cost.ideal_sectors;
    sums.used_bytes += cost.used_bytes;
  }
}

void Collector::warp_meets(unsigned number) {
  if (number >= warps_.size()) return;
  Warp& warp = warps_[number];
  for (unsigned i = 0; i < warp.instructions.size(); ++i) {
    Pending& pending = warp.instructions[i];
    if (pending.executions.empty()) continue;
    for (const Execution& one : pending.executions) count(one.request, warp.lanes, counted_[i]);
    pending.executions.clear();
    pending.first.clear();
    pending.next.fill(0);
  }
  requests_ -= warp.requests;
  warp.requests = 0;
}

void Collector::block_meets() {
  for (unsigned warp = 0; warp < warps_.size(); ++warp) warp_meets(warp);
}

std::map<Instruction, Sums> Collector::take(uint64_t& left_out) {
  block_meets();
  std::map<Instruction, Sums> result;
  for (Counted& counted : counted_) {
    if (counted.sums.requests != 0) result[counted.instruction] = counted.sums;
    counted.sums = {};
    counted.addresses.clear();
  }
  left_out = left_out_;
  left_out_ = 0;
  return result;
}

}  // namespace convkit::simt::profile

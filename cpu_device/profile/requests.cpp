// SPDX-License-Identifier: MIT
#include "cpu_device/profile/requests.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace convkit::simt::profile {
namespace {

constexpr unsigned kBankBytes = 4, kBanks = 32;

// Calls visit(address) for the lanes [first, last) that take part.
template <class Visit>
void for_each_lane(const Request& request, unsigned first, unsigned last, const Visit& visit) {
  for (unsigned lane = first; lane < last; ++lane) {
    if (request.mask >> lane & 1) visit(request.address[lane]);
  }
}

// Most requests are of lanes beside each other that access one element, or elements beside each
// other. Returns the bytes that they span from `begin` on, or 0 for other requests.
unsigned span_of_neighbours(const Request& request, uintptr_t& begin) {
  if (request.mask == 0) return 0;
  const auto first = static_cast<unsigned>(std::countr_zero(request.mask));
  const auto lanes = static_cast<unsigned>(std::popcount(request.mask));
  if (request.mask >> first != ~0u >> (kLanes - lanes)) return 0;
  begin = request.address[first];
  uintptr_t differ = 0, differ_from_neighbours = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    const uintptr_t offset = request.address[first + i] - begin;
    differ |= offset;
    differ_from_neighbours |= offset ^ uintptr_t { i } * request.bytes;
  }
  if (differ == 0) return request.bytes;
  return differ_from_neighbours == 0 ? lanes * request.bytes : 0;
}

// Whether all lanes of [first, last) that take part have the address of the lane beside them, or
// all that of the lane two further.
bool lanes_in_pairs(const Request& request, unsigned first, unsigned last) {
  for (const unsigned apart : {1u, 2u}) {
    bool all = true;
    for (unsigned lane = first; lane < last; ++lane) {
      const unsigned other = lane ^ apart;
      const bool both = (request.mask >> lane & 1) && (request.mask >> other & 1);
      all = all && (!both || request.address[lane] == request.address[other]);
    }
    if (all) return true;
  }
  return false;
}

// Of the lanes [first, last) together: as many as the bank with the most different words.
unsigned wavefronts_of(const Request& request, unsigned first, unsigned last) {
  // 4 words of a lane, and one more where they are not aligned.
  std::array<uintptr_t, 5 * kLanes> words;
  unsigned count = 0;
  for_each_lane(request, first, last, [&](uintptr_t at) {
    const uintptr_t end = (at + request.bytes - 1) / kBankBytes;
    for (uintptr_t word = at / kBankBytes; word <= end; ++word) words[count++] = word;
  });
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<unsigned, kBanks> in_bank{};
  for (auto word = words.begin(); word != end; ++word) ++in_bank[*word % kBanks];
  return *std::max_element(in_bank.begin(), in_bank.end());
}

unsigned ideal_sectors(const Request& request, unsigned sectors) {
  const unsigned asked = static_cast<unsigned>(std::popcount(request.mask)) * request.bytes;
  return std::min(sectors, (asked + kSectorBytes - 1) / kSectorBytes);
}

}  // namespace

GlobalCost global_cost(const Request& request) {
  uintptr_t first = 0;
  if (const unsigned span = span_of_neighbours(request, first); span != 0) {
    const uintptr_t last = (first + span - 1) / kSectorBytes;
    const auto touched = static_cast<unsigned>(last - first / kSectorBytes + 1);
    return {touched, ideal_sectors(request, touched), span};
  }
  struct Sector {
    uintptr_t number;
    uint32_t bytes;  // a bit for each that is accessed
  };
  // An access may cross into the next sector.
  std::array<Sector, 2 * kLanes> sectors;
  unsigned count = 0;
  for_each_lane(request, 0, kLanes, [&](uintptr_t at) {
    const unsigned begin = at % kSectorBytes;
    const uint64_t bytes = ((uint64_t{1} << request.bytes) - 1) << begin;
    sectors[count++] = {at / kSectorBytes, static_cast<uint32_t>(bytes)};
    if (bytes >> kSectorBytes != 0) {
      sectors[count++] = {at / kSectorBytes + 1, static_cast<uint32_t>(bytes >> kSectorBytes)};
    }
  });
  const auto before = [](const Sector& a, const Sector& b) { return a.number < b.number; };
  if (!std::is_sorted(sectors.begin(), sectors.begin() + count, before)) {
    std::sort(sectors.begin(), sectors.begin() + count, before);
  }
  GlobalCost cost;
  for (unsigned i = 0; i < count;) {
    uint32_t bytes = 0;
    const uintptr_t number = sectors[i].number;
    for (; i < count && sectors[i].number == number; ++i) bytes |= sectors[i].bytes;
    ++cost.sectors;
    cost.used_bytes += static_cast<unsigned>(std::popcount(bytes));
  }
  cost.ideal_sectors = ideal_sectors(request, cost.sectors);
  return cost;
}

SharedCost shared_cost(const Request& request) {
  uintptr_t first = 0;
  const bool one_turn = request.bytes == kBankBytes && span_of_neighbours(request, first) != 0;
  if (one_turn && first % kBankBytes == 0) return {1, 0};
  SharedCost cost;
  const unsigned together = request.bytes <= 8 ? kLanes : kLanes / 2;
  for (unsigned lane = 0; lane < kLanes; lane += together) {
    const bool whole = request.bytes <= 4 || lanes_in_pairs(request, lane, lane + together);
    const unsigned phase = whole ? together : together / 2;
    for (unsigned begin = lane; begin < lane + together; begin += phase) {
      const unsigned wavefronts = wavefronts_of(request, begin, begin + phase);
      cost.wavefronts += wavefronts;
      if (wavefronts != 0) cost.conflicts += wavefronts - 1;
    }
  }
  return cost;
}

AtomicCost atomic_cost(const Request& request) {
  std::array<uintptr_t, kLanes> addresses;
  unsigned count = 0;
  for_each_lane(request, 0, kLanes, [&](uintptr_t at) { addresses[count++] = at; });
  std::sort(addresses.begin(), addresses.begin() + count);
  AtomicCost cost;
  for (unsigned i = 0; i < count;) {
    const unsigned begin = i;
    while (i < count && addresses[i] == addresses[begin]) ++i;
    ++cost.addresses;
    cost.passes = std::max(cost.passes, i - begin);
  }
  return cost;
}

unsigned words_loaded(const Request& request) {
  constexpr unsigned kWord = 4;
  std::vector<uintptr_t> words;
  for_each_lane(request, 0, kLanes, [&](uintptr_t at) {
    for (uintptr_t word = at / kWord; word <= (at + request.bytes - 1) / kWord; ++word)
      words.push_back(word);
  });
  std::sort(words.begin(), words.end());
  return static_cast<unsigned>(std::unique(words.begin(), words.end()) - words.begin());
}

void SectorSet::add(uintptr_t sector) {
  const uintptr_t number = sector / kTogether;
  if (latest_ == nullptr || number != latest_number_) {
    latest_ = &groups_[number];
    latest_number_ = number;
  }
  latest_->set(sector % kTogether);
}

void SectorSet::add(const Request& request) {
  uintptr_t last = ~uintptr_t{0};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(request.mask >> lane & 1)) continue;
    const uintptr_t at = request.address[lane], first = at / kSectorBytes;
    if (first != last) add(first);
    last = (at + request.bytes - 1) / kSectorBytes;
    if (last != first) add(last);
  }
}

uint64_t SectorSet::take() {
  uint64_t sectors = 0;
  for (const auto& [number, group] : groups_) sectors += group.count();
  groups_.clear();
  latest_ = nullptr;
  return sectors;
}

}  // namespace convkit::simt::profile

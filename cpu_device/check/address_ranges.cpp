// SPDX-License-Identifier: MIT
#include "cpu_device/check/address_ranges.h"

#include <algorithm>
#include <iterator>

namespace convkit::simt::check {

void AddressRanges::add(uintptr_t begin, size_t bytes) {
  if (bytes == 0) return;
  uintptr_t end = begin + bytes;
  // Those that overlap or touch become one.
  auto next = ranges_.upper_bound(end);
  while (next != ranges_.begin()) {
    const auto it = std::prev(next);
    if (it->second < begin) break;
    begin = std::min(begin, it->first);
    end = std::max(end, it->second);
    next = ranges_.erase(it);
  }
  ranges_.emplace(begin, end);
}

void AddressRanges::remove(uintptr_t begin, size_t bytes) {
  auto it = ranges_.lower_bound(begin);
  if (it != ranges_.begin() && std::prev(it)->second > begin) --it;
  while (it != ranges_.end() && it->first < begin + bytes) {
    const auto [first, last] = *it;
    it = ranges_.erase(it);
    if (first < begin) ranges_.emplace(first, begin);
    if (last > begin + bytes) ranges_.emplace(begin + bytes, last);
  }
}

bool AddressRanges::contains(uintptr_t at) const {
  const auto after = ranges_.upper_bound(at);
  return after != ranges_.begin() && at < std::prev(after)->second;
}

void AddressRanges::for_each(uintptr_t begin, uintptr_t end,
                             const std::function<void(uintptr_t, uintptr_t)>& visit) const {
  auto it = ranges_.upper_bound(begin);
  if (it != ranges_.begin()) --it;
  for (; it != ranges_.end() && it->first < end; ++it) {
    const uintptr_t first = std::max(begin, it->first), last = std::min(end, it->second);
    if (first < last) visit(first, last);
  }
}

}  // namespace convkit::simt::check

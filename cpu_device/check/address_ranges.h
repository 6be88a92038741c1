// SPDX-License-Identifier: MIT
// A set of addresses, kept as ranges: copies are large, and there are few of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

namespace convkit::simt::check {

inline constexpr uintptr_t kPage = 4096;

class AddressRanges {
 public:
  void add(uintptr_t begin, size_t bytes);
  void remove(uintptr_t begin, size_t bytes);
  bool contains(uintptr_t at) const;
  // Calls visit(begin, end) for what lies between the two.
  void for_each(uintptr_t begin, uintptr_t end,
                const std::function<void(uintptr_t, uintptr_t)>& visit) const;

 private:
  std::map<uintptr_t, uintptr_t> ranges_;  // begin, end; no two overlap or touch
};

}  // namespace convkit::simt::check

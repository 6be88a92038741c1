// SPDX-License-Identifier: MIT
#include "cpu_device/check/async_copies.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>

#include "cpu_device/check/admit.h"
#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/count_accesses.h"
#include "cpu_device/check/judge.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/updates.h"

namespace convkit::simt::check {
namespace {

// By word: where the copy was asked for.
std::unordered_map<uintptr_t, uintptr_t>& under_way() {
  static auto* const copies = new std::unordered_map<uintptr_t, uintptr_t>;
  return *copies;
}

template <class Visit>
void for_each_word(const AsyncCopy& copy, const Visit& visit) {
  const auto to = reinterpret_cast<uintptr_t>(copy.to);
  const uintptr_t end = to + copy.bytes + copy.zeros;
  for (uintptr_t word = to & ~uintptr_t{3}; word < end; word += 4) visit(word);
}

// Word by word: of longer writes it is not seen whether they change anything (same_value.h).
void make(const AsyncCopy& copy) {
  const auto to = reinterpret_cast<uintptr_t>(copy.to);
  const auto from = reinterpret_cast<uintptr_t>(copy.from);
  for (unsigned done = 0, part; done < copy.bytes; done += part) {
    part = std::min(copy.bytes - done, 4u);
    judge({from + done, part, kRead, copy.pc});
    judge({to + done, part, kWrite, copy.pc});
    std::memcpy(reinterpret_cast<void*>(to + done), reinterpret_cast<const void*>(from + done),
                part);
  }
  for (unsigned done = copy.bytes, part; done < copy.bytes + copy.zeros; done += part) {
    part = std::min(copy.bytes + copy.zeros - done, 4u);
    judge({to + done, part, kWrite, copy.pc});
    std::memset(reinterpret_cast<void*>(to + done), 0, part);
  }
  settle_suspects();
}

void check_alignment(const void* address, const AsyncCopy& copy) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (at % copy.alignment == 0) return;
  stop_misaligned(at, std::to_string(copy.alignment) + "-byte value", copy.alignment,
                  line_of(copy.pc));
}

}  // namespace

void async_copy_begins(const AsyncCopy& copy) {
  const auto to = reinterpret_cast<uintptr_t>(copy.to);
  check_alignment(copy.to, copy);
  check_alignment(copy.from, copy);
  if (copy.bytes != 0) count_access(reinterpret_cast<uintptr_t>(copy.from), false);
  count_access(to, true);
  if (!is_shared(to)) return;
  // As if the bytes arrived at once; and then as if they had not.
  make(copy);
  const unsigned bytes = copy.bytes + copy.zeros;
  make_unwritten(to, bytes);
  std::memset(copy.to, present.poison, bytes);
  for_each_word(copy, [&](uintptr_t word) { under_way()[word] = copy.pc; });
}

void async_copy_ends(const AsyncCopy& copy) {
  make(copy);
  for_each_word(copy, [](uintptr_t word) { under_way().erase(word); });
}

void forget_async_copies() {
  if (!under_way().empty()) under_way().clear();
}

uintptr_t async_copy_to(uintptr_t at) {
  const auto found = under_way().find(at & ~uintptr_t{3});
  return found == under_way().end() ? 0 : found->second;
}

}  // namespace convkit::simt::check

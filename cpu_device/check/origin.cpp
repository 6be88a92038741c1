// SPDX-License-Identifier: MIT
#include "cpu_device/check/origin.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "cpu_device/check/address_ranges.h"
#include "cpu_device/check/contents.h"
#include "cpu_device/check/shadow.h"

namespace convkit::simt::check {
namespace {

struct Origins {
  AddressRanges host;     // device and managed memory, unless a kernel has written there since
  AddressRanges library;  // not the host's. It matters for managed memory, where the host may write
  AddressRanges given;    // host memory
  // What copies have brought to host memory, but nothing that was the host's.
  std::map<uintptr_t, std::vector<unsigned char>> brought;
  size_t from_device = 0;       // bytes that the host got of kernels and libraries
  std::vector<uint32_t> words;  // their values
  size_t sorted_words = 0;
  AddressRanges outputs;   // in device memory
  bool asked_for = false;  // programs that are not a runner's spare the memory
};

Origins& origins() {
  static auto* const the_origins = new Origins;
  return *the_origins;
}

Cell* cell_of_byte(uintptr_t at) {
  Cell* cell = cell_of(at & ~uintptr_t{3});
  if (cell == nullptr || !is_split(cell->write)) return cell;
  return &split_cells(split_index(cell->write))[at & 3];
}

// Calls visit(begin, end) for the parts between that no kernel has written.
template <class Visit>
void for_each_not_of_kernel(uintptr_t begin, uintptr_t end, const Visit& visit) {
  uintptr_t first = begin;
  for (uintptr_t at = begin; at < end;) {
    const Cell* whole = cell_of(at & ~uintptr_t{3});
    const uintptr_t next = whole != nullptr && is_split(whole->write)
                               ? at + 1
                               : std::min(end, (at & ~uintptr_t{3}) + 4);
    const Cell* cell = cell_of_byte(at);
    if (cell != nullptr && is_of_kernel(cell->write)) {
      if (first < at) visit(first, at);
      first = next;
    }
    at = next;
  }
  if (first < end) visit(first, end);
}

// Calls visit(begin, end) for the parts between that neither a kernel nor a library has written.
template <class Visit>
void for_each_not_of_device(uintptr_t begin, uintptr_t end, const Visit& visit) {
  for_each_not_of_kernel(begin, end, [&](uintptr_t first, uintptr_t last) {
    uintptr_t at = first;
    origins().library.for_each(first, last, [&](uintptr_t from, uintptr_t to) {
      if (at < from) visit(at, from);
      at = to;
    });
    if (at < last) visit(at, last);
  });
}

// The host could get these of the device, that are at an address there.
void know_words(uintptr_t address, const unsigned char* bytes, size_t count) {
  auto& words = origins().words;
  for (size_t at = 0; at + 4 <= count; at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, bytes + at, sizeof word);
    words.push_back(word);
    if ((address + at) % 8 != 0 || at + 8 > count) continue;
    double number = 0;
    std::memcpy(&number, bytes + at, sizeof number);
    words.push_back(std::bit_cast<uint32_t>(static_cast<float>(number)));
  }
  constexpr size_t kOften = 1 << 20;
  if (words.size() < 2 * origins().sorted_words + kOften) return;
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  origins().sorted_words = words.size();
}

// Those that are there now, and the other halves of doubles at the ends.
void know_words_at(uintptr_t begin, uintptr_t end) {
  begin = begin / 8 * 8;
  end = (end + 7) / 8 * 8;
  know_words(begin, reinterpret_cast<const unsigned char*>(begin), end - begin);
}

// Those of a range but for the parts that are the host's.
template <class Parts>
void know_words_but(const Parts& parts, uintptr_t begin, uintptr_t end) {
  uintptr_t at = begin;
  const auto take = [](uintptr_t first, uintptr_t last) {
    if (first < last) {
      know_words(first, reinterpret_cast<const unsigned char*>(first), last - first);
    }
  };
  for (const auto& [first, last] : parts) {
    take(at, first);
    at = std::max(at, last);
  }
  take(at, end);
}

size_t count_of_device(uintptr_t begin, uintptr_t end) {
  size_t count = end - begin;
  for_each_not_of_device(begin, end, [&](uintptr_t from, uintptr_t to) { count -= to - from; });
  return count;
}

// No kernel's writes there are the last any more. No kernel runs while a copy does, so to know less
// of them hides no race.
void forget_kernels(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end;) {
    const uintptr_t word = at & ~uintptr_t{3};
    Cell* cell = cell_of(word);
    const uintptr_t next = std::min(end, word + 4);
    if (cell != nullptr && is_of_kernel(cell->write) && next - at < 4) split(*cell);
    for (; at < next; ++at) {
      Cell* byte = cell_of_byte(at);
      if (byte != nullptr && is_of_kernel(byte->write)) byte->write = kWritten;
    }
  }
}

// Whether all of it is what copies have brought there.
bool is_as_brought(uintptr_t begin, uintptr_t end) {
  const auto& brought = origins().brought;
  for (uintptr_t at = begin; at < end;) {
    const auto after = brought.upper_bound(at);
    if (after == brought.begin()) return false;
    const auto& [first, bytes] = *std::prev(after);
    if (at - first >= bytes.size()) return false;
    const size_t size = std::min<size_t>(end - at, bytes.size() - (at - first));
    if (std::memcmp(bytes.data() + (at - first), reinterpret_cast<void*>(at), size) != 0) {
      return false;
    }
    at += size;
  }
  return true;
}

// Which parts of what a copy moves are the host's, as addresses of the source.
using Parts = std::vector<std::pair<uintptr_t, uintptr_t>>;

Parts parts_of_host(const CopiedRow& row) {
  Parts parts;
  const auto add = [&](uintptr_t begin, uintptr_t end) { parts.emplace_back(begin, end); };
  const uintptr_t end = row.from + row.bytes;
  if (row.from == 0) {
    if (row.value != 0) add(0, row.bytes);  // a result may be 0, and is rarely something else
  } else if (row.from_side == Side::device) {
    origins().host.for_each(row.from, end, [&](uintptr_t first, uintptr_t last) {
      for_each_not_of_kernel(first, last, add);
    });
  } else if (row.from_side == Side::managed) {
    for_each_not_of_device(row.from, end, add);
  } else if (!origins().given.contains(row.from) && !is_as_brought(row.from, end)) {
    for_each_not_of_device(row.from, end, add);  // which can write to pinned memory
  }
  return parts;
}

bool host_may_use(const Allocation& allocation) {
  return allocation.kind == MemoryKind::managed || allocation.kind == MemoryKind::pinned;
}

void be_of_device(uintptr_t begin, size_t bytes) {
  origins().host.remove(begin, bytes);
  origins().library.add(begin, bytes);
}

Side side_of(const void* address) {
  const auto allocation = allocation_at(address, 0);
  if (!allocation || allocation->kind == MemoryKind::pinned) return Side::host;
  return allocation->kind == MemoryKind::managed ? Side::managed : Side::device;
}

}  // namespace

void note_origin(const CopiedRow& row) {
  const Parts parts = parts_of_host(row);
  if (row.from == 0) {
    expect_value(row.to, static_cast<unsigned char>(row.value), row.bytes);
  } else {
    expect_bytes(row.to, reinterpret_cast<const unsigned char*>(row.from), row.bytes);
    // What is copied to where inputs come from is not for the program.
    const bool unseen = row.to_side == Side::device || origins().given.contains(row.to);
    if (!unseen && row.from_side != Side::host) {
      know_words_but(parts, row.from, row.from + row.bytes);
    }
  }
  if (row.to_side == Side::host) {
    if (row.from_side != Side::host) {
      origins().from_device += count_of_device(row.from, row.from + row.bytes);
    }
    if (!parts.empty() || row.from == 0 || row.bytes == 0) return;
    const auto* bytes = reinterpret_cast<const unsigned char*>(row.from);
    origins().brought[row.to].assign(bytes, bytes + row.bytes);
    return;
  }
  be_of_device(row.to, row.bytes);  // no better than the host's own
  for (const auto& [first, last] : parts) {
    const uintptr_t to = row.to + (first - row.from);
    origins().host.add(to, last - first);
    origins().library.remove(to, last - first);
    forget_kernels(to, to + (last - first));
  }
}

void note_origins(const CopiedRows& rows) {
  if (!origins().asked_for) return;
  look_at_watched();
  const Side to = side_of(rows.to);
  const Side from = rows.from != nullptr ? side_of(rows.from) : Side::host;
  const bool one =
      rows.to_pitch == rows.width && (rows.from == nullptr || rows.from_pitch == rows.width);
  const size_t count = one ? 1 : rows.height;
  const size_t bytes = one ? rows.width * rows.height : rows.width;
  for (size_t i = 0; i < count; ++i) {
    const auto source = reinterpret_cast<uintptr_t>(rows.from);
    note_origin({reinterpret_cast<uintptr_t>(rows.to) + i * rows.to_pitch, to,
                 source == 0 ? 0 : source + i * rows.from_pitch, from, bytes, rows.value});
  }
}

void library_wrote(uintptr_t begin, size_t bytes) {
  be_of_device(begin, bytes);
  expect_library(begin, bytes);
}

void forget_origin(uintptr_t begin, size_t bytes) {
  origins().host.remove(begin, bytes);
  origins().library.remove(begin, bytes);
  origins().given.remove(begin, bytes);
  origins().outputs.remove(begin, bytes);
  unwatch_contents(begin, bytes);
}

void know_given(uintptr_t begin, size_t bytes) {
  origins().given.add(begin, bytes);
  unwatch_contents(begin, bytes);
}

void watch_output(uintptr_t begin, size_t bytes) {
  origins().outputs.add(begin, bytes);
  watch_contents(begin, bytes);
}

void know_allocation(const Allocation& allocation) {
  const auto begin = reinterpret_cast<uintptr_t>(allocation.begin);
  if (!origins().asked_for || !host_may_use(allocation) || origins().given.contains(begin)) return;
  watch_contents(begin, allocation.bytes);
}

void look_at_watched() {
  for_each_change([](uintptr_t begin, uintptr_t end, Changer changer) {
    const bool is_output = origins().outputs.contains(begin);
    if (changer == Changer::library) {
      if (!is_output) know_words_at(begin, end);
      return;
    }
    if (is_output) origins().host.add(begin, end - begin);
    origins().library.remove(begin, end - begin);
    forget_kernels(begin, end);
  });
}

void kernel_left_watched() {
  for_each_change([](uintptr_t begin, uintptr_t end, Changer) {
    if (!origins().outputs.contains(begin)) know_words_at(begin, end);
  });
}

void begin_case() {
  if (!std::exchange(origins().asked_for, true)) {
    for (const Allocation& allocation : leaked_allocations()) know_allocation(allocation);
  }
  renew_budget();
  origins().words.clear();
  origins().sorted_words = 0;
  origins().brought.clear();
  origins().from_device = 0;
}

void host_reads_all(const Allocation& allocation) {
  if (!host_may_use(allocation) || !origins().asked_for) return;
  const auto begin = reinterpret_cast<uintptr_t>(allocation.begin);
  origins().from_device += count_of_device(begin, begin + allocation.bytes);
  // The memory itself may have gone.
  for_each_content(begin, begin + allocation.bytes,
                   [](uintptr_t first, const unsigned char* bytes, size_t count) {
                     uintptr_t at = first;
                     const auto take = [&](uintptr_t last) {
                       if (at < last) know_words(at, bytes + (at - first), last - at);
                     };
                     for_each_not_of_device(first, first + count,
                                            [&](uintptr_t from, uintptr_t to) {
                                              take(from);
                                              at = to;
                                            });
                     take(first + count);
                   });
}

size_t bytes_as_computed(const unsigned char* begin, size_t bytes) {
  bytes_from_device();  // takes in what host code can read now
  auto& words = origins().words;
  std::sort(words.begin(), words.end());
  size_t count = bytes % 4;
  for (size_t at = 0; at + 4 <= bytes; at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, begin + at, sizeof word);
    if (word == 0 || std::binary_search(words.begin(), words.end(), word)) count += 4;
  }
  return count;
}

size_t bytes_from_device() {
  size_t bytes = origins().from_device;
  for (const Allocation& allocation : leaked_allocations()) {
    const size_t before = origins().from_device;
    host_reads_all(allocation);
    bytes += std::exchange(origins().from_device, before) - before;
  }
  return bytes;
}

size_t bytes_of_host(uintptr_t begin, uintptr_t end) {
  size_t bytes = 0;
  origins().host.for_each(begin, end, [&](uintptr_t first, uintptr_t last) {
    for_each_not_of_kernel(first, last, [&](uintptr_t from, uintptr_t to) { bytes += to - from; });
  });
  return bytes;
}

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
#include "cpu_device/check/admit.h"

#include <algorithm>

#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/written.h"

namespace convkit::simt::check {
namespace {

// This many bytes are admitted at once, but not beyond the allocation or variable.
constexpr uintptr_t kAtOnce = 4096;

bool is_allowed(Region region) {
  switch (region) {
    case Region::device:
    case Region::open:
    case Region::static_shared:
    case Region::dynamic_shared:
    case Region::program:
    case Region::engine:
      return true;
    default:
      return false;
  }
}

// The state of a region's cells before the first write.
Stamp state_of(Region region) {
  const bool starts_empty = region == Region::device || region == Region::static_shared ||
                            region == Region::dynamic_shared;
  return starts_empty ? kUnwritten : kWritten;
}

template <class Visit>
void for_each_word(uintptr_t begin, uintptr_t end, const Visit& visit) {
  for (uintptr_t word = begin & ~uintptr_t{3}; word < end; word += 4) {
    const unsigned first = word < begin ? static_cast<unsigned>(begin - word) : 0;
    const unsigned last = end - word < 4 ? static_cast<unsigned>(end - word) : 4;
    Cell* cell = cell_of(word);
    if (cell != nullptr) visit(*cell, first, last);
  }
}

// Gives `state` to the cells between that are `before`.
void change(uintptr_t begin, uintptr_t end, Stamp before, Stamp state) {
  for_each_word(begin, end, [&](Cell& cell, unsigned first, unsigned last) {
    if (cell.write == before && first == 0 && last == 4) {
      cell.write = state;
      return;
    }
    if (cell.write == before) split(cell);
    if (!is_split(cell.write)) return;
    Cell* bytes = split_cells(split_index(cell.write));
    for (unsigned i = first; i < last; ++i) {
      if (bytes[i].write == before) bytes[i].write = state;
    }
  });
}

// Copies tell of the memory they write; its cells learn of it here.
void note_written(uintptr_t begin, uintptr_t end) {
  for_each_written(begin, end, [](uintptr_t first, uintptr_t last) {
    change(first, last, kUnwritten, kWritten);
  });
}

}  // namespace

Cell* admitted_cell(const Access& access, uintptr_t at) {
  const uintptr_t word = at & ~uintptr_t{3};
  Cell* cell = cell_of(word);
  if (cell != nullptr && cell->write != kUnknown) return cell;
  const Place place = find_place(at);
  if (place.region == Region::stack) return nullptr;
  if (!is_allowed(place.region)) stop_outside(access, at, name_place(at));
  if (place.region == Region::device) keep_near(word);
  if (make_cell(word) == nullptr) return nullptr;
  const uintptr_t around = at & ~(kAtOnce - 1);
  const uintptr_t begin = std::max(place.begin, around);
  const uintptr_t end = std::min(place.begin + place.bytes, around + kAtOnce);
  change(begin, end, kUnknown, state_of(place.region));
  if (place.region == Region::device) note_written(begin, end);
  return cell_of(word);
}

void admit_byte(const Access& access, uintptr_t at, Cell& cell) {
  const Place place = find_place(at);
  if (!is_allowed(place.region)) stop_outside(access, at, name_place(at));
  cell.write = place.region == Region::device && is_written(at) ? kWritten : state_of(place.region);
}

void resolve_unwritten(uintptr_t at, size_t size) {
  bool any = false;
  for_each_word(at, at + size, [&](const Cell& cell, unsigned first, unsigned last) {
    any = any || cell.write == kUnwritten;
    if (!is_split(cell.write)) return;
    const Cell* bytes = split_cells(split_index(cell.write));
    for (unsigned i = first; i < last; ++i) any = any || bytes[i].write == kUnwritten;
  });
  if (any) note_written(at & ~(kAtOnce - 1), (at + size + kAtOnce - 1) & ~(kAtOnce - 1));
}

void make_unwritten(uintptr_t at, size_t size) {
  for_each_word(at, at + size, [](Cell& cell, unsigned first, unsigned last) {
    const bool whole = first == 0 && last == 4;
    if (!is_split(cell.write) && whole) {
      cell = {kUnwritten, 0};
      return;
    }
    Cell* bytes = is_split(cell.write) ? split_cells(split_index(cell.write)) : split(cell);
    for (unsigned i = first; i < last; ++i) bytes[i] = {kUnwritten, 0};
  });
}

void settle_unwritten(uintptr_t at, size_t size, bool shared) {
  for_each_word(at, at + size, [&](Cell& cell, unsigned first, unsigned last) {
    const auto settle = [&](Cell& one) {
      if (shared) {
        if ((one.write & kEventMask) < present.shared_floor) one.write = present.shared_floor;
      } else if (one.write == kUnwritten) {
        one.write = kWritten;
      }
    };
    if (!is_split(cell.write)) {
      settle(cell);
      return;
    }
    for (unsigned i = first; i < last; ++i) settle(split_cells(split_index(cell.write))[i]);
  });
}

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
#include "cpu_device/check/shadow.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "cpu_device/check/address_ranges.h"

namespace convkit::simt::check {

uintptr_t windows[kWindows];
NearCells near_cells;

namespace {

constexpr size_t kWindowBytes = size_t{1} << kWindowShift;
// A page more than there are cells: host code may read words that are not aligned.
constexpr size_t kCellsBytes = kWindowBytes / 4 * sizeof(Cell) + kPage;

// Single bytes: made in chunks, so that they stay where they are.
class Splits {
 public:
  Cell* cells(uint32_t index) { return (*chunks_[index / kPerChunk])[index % kPerChunk].data(); }

  uint32_t take() {
    if (!free_.empty()) {
      const uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    if (used_ == chunks_.size() * kPerChunk) chunks_.push_back(std::make_unique<Chunk>());
    return used_++;
  }
  void give(uint32_t index) { free_.push_back(index); }

  uint32_t used() const { return used_; }
  bool none() const { return used_ == free_.size(); }

 private:
  static constexpr uint32_t kPerChunk = 4096;
  using Chunk = std::array<std::array<Cell, 4>, kPerChunk>;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<uint32_t> free_;
  uint32_t used_ = 0;
};

Splits& splits() {
  static Splits* const the_splits = new Splits;
  return *the_splits;
}

std::vector<size_t>& windows_made() {
  static auto* const made = new std::vector<size_t>;
  return *made;
}

// Addresses for cells; 0 if there are not so many left.
uintptr_t reserve(size_t bytes, uintptr_t wanted) {
  void* cells = mmap(reinterpret_cast<void*>(wanted), bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return cells == MAP_FAILED ? 0 : reinterpret_cast<uintptr_t>(cells);
}

}  // namespace

void keep_near(uintptr_t at) {
  constexpr uintptr_t kEnd = uintptr_t{kWindows} << kWindowShift, kBelow = uintptr_t{1} << 34,
                      kMost = uintptr_t{1} << 42, kFarFromMappings = uintptr_t{1} << 44;
  static bool tried = false;
  if (tried) return;
  tried = true;
  const uintptr_t begin = (at - kBelow) & ~(kWindowBytes - 1), bytes = kEnd - begin;
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
  const uintptr_t cells = limited || at < kBelow || bytes > kMost
                              ? 0
                              : reserve(bytes / 4 * sizeof(Cell) + kPage, kFarFromMappings);
  if (cells == 0) {  // then one window has to do
    if (make_cell(at) == nullptr) return;
    const size_t window = at >> kWindowShift;
    near_cells = {window << kWindowShift, kWindowBytes, windows[window]};
    return;
  }
  near_cells = {begin, bytes, cells - begin * 4};
  for (size_t window : windows_made()) {
    const uintptr_t first = window << kWindowShift;
    if (!near_cells.hold(first)) continue;
    void* const from = cell_of(first);
    constexpr size_t kMoved = kCellsBytes - kPage;
    if (mremap(from, kMoved, kMoved, MREMAP_MAYMOVE | MREMAP_FIXED, near_cells.cell(first)) ==
        MAP_FAILED) {
      near_cells = {};
      return;
    }
    munmap(static_cast<unsigned char*>(from) + kMoved, kPage);
    windows[window] = near_cells.distance;
  }
}

Cell* make_cell(uintptr_t at) {
  const size_t window = at >> kWindowShift;
  if (window >= kWindows) return nullptr;
  if (windows[window] == 0) {
    if (near_cells.hold(at)) {
      windows[window] = near_cells.distance;
    } else {
      const uintptr_t cells = reserve(kCellsBytes, 0);
      if (cells == 0) return nullptr;
      windows[window] = cells - (window << kWindowShift) * 4;
    }
    windows_made().push_back(window);
  }
  return cell_of(at);
}

Cell* split_cells(uint32_t index) {
  return splits().cells(index);
}

Stamp last_write(uintptr_t at) {
  const Cell* cell = cell_of(at & ~uintptr_t{3});
  if (cell == nullptr) return kUnknown;
  return is_split(cell->write) ? split_cells(split_index(cell->write))[at & 3].write : cell->write;
}

Cell* split(Cell& cell) {
  const uint32_t index = splits().take();
  Cell* bytes = splits().cells(index);
  std::fill_n(bytes, 4, cell);
  cell = {split_at(index), 0};
  return bytes;
}

void unite(Cell& cell, Stamp write) {
  splits().give(split_index(cell.write));
  cell = {write, 0};
}

void forget(uintptr_t begin, size_t bytes) {
  const uintptr_t end = begin + bytes;
  while (begin < end) {
    const uintptr_t next = std::min(end, (begin / kWindowBytes + 1) * kWindowBytes);
    Cell* first = cell_of(begin & ~uintptr_t{3});
    if (first != nullptr) {
      Cell* last = first + (next - (begin & ~uintptr_t{3}) + 3) / 4;
      if (!splits().none()) {
        for (Cell* cell = first; cell != last; ++cell) {
          if (is_split(cell->write)) splits().give(split_index(cell->write));
        }
      }
      // Whole pages are given back; they read as zeros, which is kUnknown.
      const auto from = (reinterpret_cast<uintptr_t>(first) + kPage - 1) & ~(kPage - 1);
      const auto to = reinterpret_cast<uintptr_t>(last) & ~(kPage - 1);
      if (from < to) {
        std::fill(first, reinterpret_cast<Cell*>(from), Cell{});
        madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
        std::fill(reinterpret_cast<Cell*>(to), last, Cell{});
      } else {
        std::fill(first, last, Cell{});
      }
    }
    begin = next;
  }
}

void for_each_cell(void (*visit)(Cell&)) {
  for (size_t window : windows_made()) {
    Cell* cells = cell_of(window << kWindowShift);
    for (size_t i = 0; i < kWindowBytes / 4; ++i) {
      if (cells[i].write == kUnknown || is_split(cells[i].write)) continue;
      visit(cells[i]);
    }
  }
  for (uint32_t i = 0; i < splits().used(); ++i) {
    for (int byte = 0; byte < 4; ++byte) visit(splits().cells(i)[byte]);
  }
}

}  // namespace convkit::simt::check

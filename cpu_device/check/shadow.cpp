// SPDX-License-Identifier: MIT
#include "cpu_device/check/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "cpu_device/check/address_ranges.h"

namespace convkit::simt::check {

uintptr_t windows[kWindows];

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

}  // namespace

Cell* make_cell(uintptr_t at) {
  const size_t window = at >> kWindowShift;
  if (window >= kWindows) return nullptr;
  if (windows[window] == 0) {
    void* cells = mmap(nullptr, kCellsBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (cells == MAP_FAILED) return nullptr;
    windows[window] = reinterpret_cast<uintptr_t>(cells) - (window << kWindowShift) * 4;
    windows_made().push_back(window);
  }
  return cell_of(at);
}

Cell* split_cells(uint32_t index) {
  return splits().cells(index);
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

// SPDX-License-Identifier: MIT
// The cells of all memory that kernels touch, found from its address by one look into a table:
// memory is divided into windows of 16 MiB, and a window that is touched gets 64 MiB of addresses
// for its cells, which take real memory as they are written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

inline constexpr unsigned kWindowShift = 24;
inline constexpr size_t kWindows = size_t{1} << (47 - kWindowShift);

// For each window, the distance from four times an address to its cell; 0 if it has no cells.
extern uintptr_t windows[kWindows] __attribute__((visibility("hidden")));

// Windows whose cells lie one behind the other, so that no table need be asked. Cells that no
// window has made yet read as zeros.
struct NearCells {
  uintptr_t begin = 0, bytes = 0;
  uintptr_t distance = 0;

  bool hold(uintptr_t at) const { return at - begin < bytes; }
  Cell* cell(uintptr_t at) const { return reinterpret_cast<Cell*>(distance + at * 4); }
};
extern NearCells near_cells __attribute__((visibility("hidden")));

// Makes the cells near of all memory from a little below `at`, in the memory of the device, to the
// end of the process's mappings: libraries, threads and shared memory are above or a little below.
// Where so many addresses cannot be had, of the window of `at`.
void keep_near(uintptr_t at);

// The cell of the four bytes at `at`, a multiple of four; null where the window has none.
inline Cell* cell_of(uintptr_t at) {
  const size_t window = at >> kWindowShift;
  if (__builtin_expect(window >= kWindows, 0)) return nullptr;
  const uintptr_t distance = windows[window];
  if (__builtin_expect(distance == 0, 0)) return nullptr;
  Cell* cell = reinterpret_cast<Cell*>(distance + at * 4);
  if (cell == nullptr) __builtin_unreachable();
  return cell;
}

// The cell, made when missing; null when there is no memory left for it.
Cell* make_cell(uintptr_t at);

// The cells of the single bytes of a split cell.
Cell* split_cells(uint32_t index);
// Of the byte at `at`; kUnknown where its window has no cells.
Stamp last_write(uintptr_t at);

// Splits a cell; each byte's cell is a copy of it.
Cell* split(Cell& cell);
// Makes one cell of four again, with this write.
void unite(Cell& cell, Stamp write);

// Forgets everything about the memory.
void forget(uintptr_t begin, size_t bytes);

// Calls visit(cell) for each cell of the windows that exist, those of single bytes included.
void for_each_cell(void (*visit)(Cell&));

}  // namespace convkit::simt::check

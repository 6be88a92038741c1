// SPDX-License-Identifier: MIT
// Stacks for the fibers of one worker: made when first needed, kept for the next block. Below each
// lies a guard page, so that a thread that overflows its stack faults (of the first 28 800 stacks
// of a process).
#pragma once

#include <cstddef>
#include <vector>

namespace convkit::simt {

inline constexpr size_t kStackBytes = 128 << 10;

class StackPool {
 public:
  StackPool() = default;
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  // The upper end of stack `index` (0 to 1023). Throws std::bad_alloc.
  void* top(size_t index);

  // Whether `address` lies in a stack.
  bool holds(const void* address) const;

  // Whether `address` lies in a guard page.
  bool guards(const void* address) const;

 private:
  struct Slab {
    unsigned char* memory;
    size_t bytes;
  };
  static constexpr size_t kPerSlab = 32;
  std::vector<Slab> slabs_;
};

// Memory that a kernel keeps until its block ends, and the next block uses again. Takes no lock: a
// kernel may be left anywhere.
class BlockMemory {
 public:
  BlockMemory() = default;
  BlockMemory(const BlockMemory&) = delete;
  BlockMemory& operator=(const BlockMemory&) = delete;
  ~BlockMemory();

  // Aligned to 64 bytes; null: the system has none.
  void* take(size_t bytes);
  void reset();

 private:
  struct Piece {
    Piece* next;
    size_t bytes;  // with this header
  };
  Piece* first_ = nullptr;
  Piece* piece_ = nullptr;  // from which memory is taken, and how much of it has been
  size_t used_ = 0;
};

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Code compiled with -fsanitize=thread calls these before each access (the kit links no sanitizer's
// runtime). They run once for each access, so they decide the most common case themselves: a read
// like one that was recorded since the last barrier.
#include <cstddef>
#include <cstdint>
#include <string>

#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/count_accesses.h"
#include "cpu_device/check/judge.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/quick.h"

// Aligned: the shortest path then is one line of the cache (5 % of a kernel that mostly reads).
#define CONVKIT_CALLBACK extern "C" __attribute__((visibility("default"), aligned(64)))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

using namespace convkit::simt::check;

[[gnu::noinline, gnu::cold]] void odd(uintptr_t at, size_t size, unsigned use, uintptr_t pc) {
  // Structures of two doubles are 16 bytes, too, and may begin at any multiple of 8.
  if (at % (size < 8 ? size : 8) != 0 && in_kernel()) {
    stop_misaligned(at, std::to_string(size) + "-byte value", size, line_of(pc));
  }
  judge({at, size, use, pc});
}

// Called last by the callbacks: the compiler makes a jump of that, so it returns to the program.
template <size_t size, unsigned use>
[[gnu::noinline]] void slowly(uintptr_t at) {
  const uintptr_t pc = CONVKIT_RETURN_ADDRESS;
  count_access(at, use == kWrite);
  if (on_own_stack(at)) return;
  if constexpr (size >= 4) {
    if (__builtin_expect(at % size == 0, 1)) {
      Cell* cells = cell_of(at);
      if (cells != nullptr && judge_quickly<size, use>(at, pc, cells)) return;
    }
  }
  odd(at, size, use, pc);
}

// The same for a read of a word that has a cell. The first part needs no stack.
[[gnu::noinline]] void read_on(uintptr_t at, Cell* cell) {
  if (read_quickly_if_old(at, CONVKIT_RETURN_ADDRESS, *cell)) return;
  slowly<4, kRead>(at);
}

// In kernels words are aligned (-fsanitize=alignment); outside them no cell is like any other.
template <size_t size>
inline void read_cells(uintptr_t at, Cell* cells) {
  size_t known = 0;
  while (known < size / 4 && is_known_read(cells[known].read)) ++known;
  if (known == size / 4) return;
  if constexpr (size == 4) return read_on(at, cells);
  slowly<size, kRead>(at);
}

template <size_t size>
[[gnu::noinline]] void read_far(uintptr_t at) {
  Cell* cells = cell_of(at);
  if (cells == nullptr) return slowly<size, kRead>(at);
  read_cells<size>(at, cells);
}

template <size_t size>
inline void read(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if constexpr (size >= 4) {
    if (size == 4 || __builtin_expect(at % size == 0, 1)) {
      if (__builtin_expect(near_cells.hold(at), 1))
        return read_cells<size>(at, near_cells.cell(at));
      return read_far<size>(at);
    }
  }
  slowly<size, kRead>(at);
}

template <size_t size>
inline void write(const void* address) {
  slowly<size, kWrite>(reinterpret_cast<uintptr_t>(address));
}

inline void range(const void* address, size_t size, unsigned use, uintptr_t pc) {
  count_access(reinterpret_cast<uintptr_t>(address), (use & kWrite) != 0);
  judge({reinterpret_cast<uintptr_t>(address), size, use | kWhole, pc});
}

}  // namespace

// clang can tell of a read and a write of one place with one call.
#define CONVKIT_CALLBACKS(size)                                                                    \
  CONVKIT_CALLBACK void __tsan_read##size(const void* address) {                                   \
    read<size>(address);                                                                           \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_write##size(const void* address) {                                  \
    write<size>(address);                                                                          \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_read_write##size(const void* address) {                             \
    const auto at = reinterpret_cast<uintptr_t>(address);                                          \
    odd(at, size, kRead, CONVKIT_RETURN_ADDRESS);                                                  \
    write<size>(address);                                                                          \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_unaligned_read##size(const void* address) {                         \
    range(address, size, kRead, CONVKIT_RETURN_ADDRESS);                                           \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_unaligned_write##size(const void* address) {                        \
    range(address, size, kWrite, CONVKIT_RETURN_ADDRESS);                                          \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_unaligned_read_write##size(const void* address) {                   \
    range(address, size, kRead, CONVKIT_RETURN_ADDRESS);                                           \
    range(address, size, kWrite, CONVKIT_RETURN_ADDRESS);                                          \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_volatile_read##size(const void* address) {                          \
    odd(reinterpret_cast<uintptr_t>(address), size, kRead | kVolatileUse, CONVKIT_RETURN_ADDRESS); \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_volatile_write##size(const void* address) {                         \
    odd(reinterpret_cast<uintptr_t>(address), size, kWrite | kVolatileUse,                         \
        CONVKIT_RETURN_ADDRESS);                                                                   \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_unaligned_volatile_read##size(const void* address) {                \
    range(address, size, kRead | kVolatileUse, CONVKIT_RETURN_ADDRESS);                            \
  }                                                                                                \
  CONVKIT_CALLBACK void __tsan_unaligned_volatile_write##size(const void* address) {               \
    range(address, size, kWrite | kVolatileUse, CONVKIT_RETURN_ADDRESS);                           \
  }

CONVKIT_CALLBACKS(1)
CONVKIT_CALLBACKS(2)
CONVKIT_CALLBACKS(4)
CONVKIT_CALLBACKS(8)
CONVKIT_CALLBACKS(16)

CONVKIT_CALLBACK void __tsan_read_range(const void* address, size_t size) {
  range(address, size, kRead, CONVKIT_RETURN_ADDRESS);
}
CONVKIT_CALLBACK void __tsan_write_range(const void* address, size_t size) {
  range(address, size, kWrite, CONVKIT_RETURN_ADDRESS);
}

CONVKIT_CALLBACK void __tsan_vptr_read(const void* address) {
  read<sizeof(void*)>(address);
}
CONVKIT_CALLBACK void __tsan_vptr_update(const void* address, const void*) {
  write<sizeof(void*)>(address);
}

// Calls that are not needed.
CONVKIT_CALLBACK void __tsan_init() {}
CONVKIT_CALLBACK void __tsan_func_entry(const void*) {}
CONVKIT_CALLBACK void __tsan_func_exit() {}
CONVKIT_CALLBACK void __tsan_ignore_thread_begin() {}
CONVKIT_CALLBACK void __tsan_ignore_thread_end() {}

// SPDX-License-Identifier: MIT
// Memory that kernels themselves allocate, with malloc() or new. On the CPU device it is the
// host's, but kernels may use it. (What host code allocates: host_memory.h.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::simt::check {

struct HeapPiece {
  uintptr_t begin = 0;
  size_t bytes = 0;  // 0: the address is in none
};
// cudaMalloc() and cudaFree() of a kernel.
void heap_taken(void* memory, size_t bytes);
void heap_left(void* memory);

HeapPiece heap_piece_at(uintptr_t at);

}  // namespace convkit::simt::check

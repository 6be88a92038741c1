// SPDX-License-Identifier: MIT
// Addresses of 32 bits in the block's shared memory, which PTX and __cvta_generic_to_shared() have.
// They differ from pointers by a multiple of 4096, so both are aligned alike.
#pragma once

#include <cstddef>

#include "simt/attributes.h"

#pragma GCC visibility push(default)
extern "C" {

// Of a pointer that is in no shared memory it is as if the nearest array reached that far.
unsigned convkit_simt_shared_address(const void* pointer);
void* convkit_simt_shared_pointer(unsigned address);
// What no shared address has above its 32 bits was a generic pointer: the kernel ends.
void* convkit_simt_shared_pointer_of(unsigned long long address, const char* file, int line);
}
#pragma GCC visibility pop

static inline size_t __cvta_generic_to_shared(const void* pointer) {
  return convkit_simt_shared_address(pointer);
}
static inline void* __cvta_shared_to_generic(size_t address) {
  return convkit_simt_shared_pointer(static_cast<unsigned>(address));
}
static inline size_t __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<size_t>(pointer);
}
static inline void* __cvta_global_to_generic(size_t address) {
  return reinterpret_cast<void*>(address);
}

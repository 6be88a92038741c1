// SPDX-License-Identifier: MIT
// `__shared__` memory. A `__shared__` variable is thread-local (simt/qualifiers.h), so the shared
// memory of a block is the thread-local storage, in the OS thread that runs the block, of the
// loaded objects that hold device code; dynamic shared memory is a thread-local array of the
// engine.
#pragma once

#include <cstddef>
#include <vector>

namespace convkit::simt {

// Limits of compute capability 9.0.
inline constexpr size_t kSharedBytesPerBlock = 48 << 10;
inline constexpr size_t kSharedBytesOptIn = 227 << 10;

struct SharedRange {
  unsigned char* begin;
  size_t bytes;
};

// The calling OS thread's storage of every registered object, without the dynamic array.
std::vector<SharedRange> static_shared_ranges();

// Whether the address lies in shared memory of the block that runs on the calling OS thread.
bool is_shared_memory(const void* address);

// Grows when another object registers itself.
unsigned shared_generation();

// The calling OS thread's dynamic shared memory; kSharedBytesOptIn bytes.
unsigned char* dynamic_shared();

}  // namespace convkit::simt

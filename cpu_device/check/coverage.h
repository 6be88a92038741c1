// SPDX-License-Identifier: MIT
// What nobody has written: of an output, and of a shared array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cpu_device/check/places.h"
#include "simt/vector_types.h"

namespace convkit::simt::check {

// See convkit_simt_check_coverage() in start_over.h.
void report_not_covered(uintptr_t begin, const unsigned char* copy, size_t bytes,
                        uint32_t unwritten);

// For the report of a read of a shared array.
// "Of its 340 elements, 272 to 339 were written by no thread."; "" where all are written.
std::string gaps_text(const std::vector<bool>& written);

// Where threads load in a loop that ends too early: which step is missing. `writers`: the thread
// that wrote each element, or kNoThread; `threads`: of the block; `read`: the element that was read
// too early. "" for any other pattern.
inline constexpr int kNoThread = -1;
std::string missing_step(const std::vector<int>& writers, uint3 threads, size_t read);

// Whether a thread of the running block has written shared memory: then threads without an output
// may have something to load.
bool block_wrote_shared();

// Of the array, as far as the running block has come, where `read` was read; empty where that is
// not known, or says nothing.
struct UnwrittenPart {
  std::string gaps, step;
};
UnwrittenPart unwritten_part(const Place& array, uintptr_t read, size_t element_bytes,
                             unsigned threads);

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
// How many blocks are resident at once: what cudaOccupancyMaxActiveBlocksPerMultiprocessor answers,
// and as many as a cooperative launch may have.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::simt {

// Limits of compute capability 9.0.
inline constexpr unsigned kThreadsPerProcessor = 2048;
inline constexpr unsigned kBlocksPerProcessor = 32;
inline constexpr size_t kSharedPerProcessor = 228 << 10;
inline constexpr size_t kReservedShared = 1 << 10;  // of each block

// Blocks of `threads` (at least 1) and `shared_bytes` of dynamic shared memory that one
// multiprocessor holds. Registers are not counted. 0: not even one.
unsigned blocks_per_processor(uint64_t threads, size_t shared_bytes);

}  // namespace convkit::simt

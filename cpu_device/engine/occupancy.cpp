// SPDX-License-Identifier: MIT
#include "cpu_device/engine/occupancy.h"

#include <algorithm>

#include "cpu_device/engine/shared_memory.h"

namespace convkit::simt {

unsigned blocks_per_processor(uint64_t threads, size_t shared_bytes) {
  if (threads > 1024 || shared_bytes > kSharedBytesOptIn) return 0;
  const auto whole_warps = static_cast<unsigned>((threads + 31) / 32 * 32);
  const auto by_shared =
      static_cast<unsigned>(kSharedPerProcessor / (shared_bytes + kReservedShared));
  return std::min({kThreadsPerProcessor / whole_warps, kBlocksPerProcessor, by_shared});
}

}  // namespace convkit::simt

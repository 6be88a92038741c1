// SPDX-License-Identifier: MIT
// What kernels have done so far, in numbers that mean the same on every device.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

struct ConvkitSimtCounts {
  uint64_t launches;
  uint64_t blocks;
  uint64_t threads;
  uint64_t barriers;  // a thread at a __syncthreads() counts one
  // Accesses to device and to shared memory by kernels, whatever their width. Counted in check mode
  // only, where every access is seen, and only with CONVKIT_SIMT_COUNT=1, as it takes time.
  uint64_t global_loads;
  uint64_t global_stores;
  uint64_t shared_loads;
  uint64_t shared_stores;
  // Atomic operations, which count as neither.
  uint64_t global_atomics;
  uint64_t shared_atomics;
  uint64_t library_calls;  // of cuBLAS or cuDNN, that work in device memory
};

void convkit_simt_read_counts(struct ConvkitSimtCounts* counts);
// For check mode: whether it is to count, and what it has counted.
bool convkit_simt_counts_accesses();
void convkit_simt_count_accesses(uint64_t loads, uint64_t stores);
void convkit_simt_count_shared_accesses(uint64_t loads, uint64_t stores);
}
#pragma GCC visibility pop

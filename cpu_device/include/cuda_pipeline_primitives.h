// SPDX-License-Identifier: MIT
// CUDA's header of this name: single copies into shared memory that the thread waits for by batches
// (engine/async_copies.h). Other threads need a barrier after that, as in CUDA.
#pragma once

#include "cuda_runtime.h"
#include "simt/async_copies.h"

// Copies all bytes but the last `zeros`, which become 0.
static __forceinline__ void __pipeline_memcpy_async(void* to, const void* from, size_t size,
                                                    size_t zeros = 0, CONVKIT_SIMT_SITE) {
  if ((size != 4 && size != 8 && size != 16) || zeros > size) {
    convkit_simt_trap("__pipeline_memcpy_async() of another size than 4, 8 or 16 bytes",
                      CONVKIT_SIMT_AT);
  }
  convkit_simt_async_copy(to, from, static_cast<unsigned>(size - zeros),
                          static_cast<unsigned>(zeros), static_cast<unsigned>(size));
}

static inline void __pipeline_commit() {
  convkit_simt_async_commit();
}

// Waits for all batches but the last `batches`.
static inline void __pipeline_wait_prior(size_t batches) {
  convkit_simt_async_wait(batches);
}

// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim and gridDim of the thread that runs: the engine sets them each time
// it turns to another thread.
#pragma once

#include "simt/vector_types.h"

// The engine's symbols carry its prefix, so that a program's own `threadIdx` cannot collide.
#define CONVKIT_SIMT_BUILTIN(name) \
  __asm__("convkit_simt_" #name) __attribute__((tls_model("initial-exec")))

extern const __thread uint3 threadIdx CONVKIT_SIMT_BUILTIN(thread_idx);
extern const __thread uint3 blockIdx CONVKIT_SIMT_BUILTIN(block_idx);
extern const __thread dim3 blockDim CONVKIT_SIMT_BUILTIN(block_dim);
extern const __thread dim3 gridDim CONVKIT_SIMT_BUILTIN(grid_dim);

namespace convkit::simt {
// Set by the engine when it calls a kernel for a whole block. A kernel that can run all threads of
// the block sets it back and does so (thread_loop.h); others run one thread. With barriers and
// shared memory it says kRunsPhases instead.
extern __thread unsigned char whole_block CONVKIT_SIMT_BUILTIN(whole_block);
constexpr unsigned char kRunsPhases = 2;
}  // namespace convkit::simt

#undef CONVKIT_SIMT_BUILTIN

static constexpr int warpSize = 32;

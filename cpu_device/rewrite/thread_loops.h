// SPDX-License-Identifier: MIT
// A kernel whose threads never wait becomes one that can run the threads of a block as a loop
// (simt/thread_loop.h), which the compiler can vectorise:
//
//   __global__ void k(float* x, int n) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i >= n) return;
//     x[i] *= 2;
//   }
//
// becomes, every line on its line,
//
//   __global__ void k(float* x, int n) { CONVKIT_SIMT_GUARDED_THREADS
//     int i = ::convkit::simt::plus_thread(blockIdx.x * blockDim.x , threadIdx.x);
//     if (CONVKIT_SIMT_FAILS (i >= n)) return; CONVKIT_SIMT_PASSED
//     x[i] *= 2;
//   CONVKIT_SIMT_END_THREADS }
#pragma once

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/quiet_code.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

void rewrite_thread_loops(const Stream& code, const Scopes& scopes, const QuietCode& quiet,
                          Edits& edits);

}  // namespace convkit::rewrite

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

// The same where the threads wait at barriers, and all of them surely at each: from barrier to
// barrier they run as a loop. Leaves the kernel as it is where that is not sure. Given are the
// brackets that open its parameters and its body, which is quiet (see thread_phases.cpp).
void rewrite_phases(const Stream& code, size_t parameters, size_t body, const QuietCode& quiet,
                    Edits& edits);

// A sum of threadIdx.x and a product with blockIdx.x, in either order: its tokens.
struct ThreadSum {
  size_t begin = kNone, plus = kNone, end = kNone;  // `end` is behind it
  bool thread_first = false;
};

// Around the `threadIdx` at `i`.
ThreadSum thread_sum_around(const Stream& stream, size_t i, const QuietCode& quiet);

// Each such sum of the tokens [begin, end) becomes a call of plus_thread() or thread_plus().
void rewrite_sums(const Stream& stream, size_t begin, size_t end, const QuietCode& quiet,
                  Edits& edits);

}  // namespace convkit::rewrite

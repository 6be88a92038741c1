// SPDX-License-Identifier: MIT
// `extern __shared__ T x[];` becomes, in a function,
// `                  T (&x)[] = ::convkit::simt::dynamic_shared;` and elsewhere
// `extern __thread   T x[] __asm__("convkit_simt_dynamic_shared");`.
// `__shared__ alignas(16) T x` becomes `alignas ( 16 ) __shared__             T x`.
#pragma once

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Every such declaration among the tokens. One without an array of unknown size declares static
// shared memory, as nvcc has it: there only `extern` goes. `scopes` are null for the body of a
// macro. Returns how many were rewritten.
size_t rewrite_dynamic_shared(const Stream& stream, const Scopes* scopes, Edits& edits,
                              Report& report);

}  // namespace convkit::rewrite

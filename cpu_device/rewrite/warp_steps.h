// SPDX-License-Identifier: MIT
// Sums of a warp in memory that is `volatile`, without __syncwarp(), as older courses teach them:
//
//   __device__ void reduce(volatile float* s, int i) { s[i] += s[i + 32]; s[i] += s[i + 16]; ... }
//
// They rely on a warp that runs in step: all lanes read before one of them writes. Since Volta
// nothing promises that, but compilers still keep such lanes together. On the CPU device threads
// run one after the other.
#pragma once

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// `s[i] += s[i + 32];` becomes `{ s[i] += ::convkit::simt::in_step(s[i + 32]);
// ::convkit_simt_active_mask(); }` in device code where `s` is declared `volatile`: the lanes that
// come there read, then write, then go on.
void keep_warps_in_step(const Stream& s, const Scopes& scopes, Edits& edits);

}  // namespace convkit::rewrite

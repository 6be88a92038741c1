// SPDX-License-Identifier: MIT
// The state of CUDA's primary context: the last error of each host thread, and an error of a kernel
// that sticks until the process ends.
#pragma once

#include "simt/runtime_types.h"

namespace convkit::simt {

// Remembers `error` for cudaGetLastError() unless it is cudaSuccess or cudaErrorNotReady, and
// returns it.
cudaError_t noted(cudaError_t error);

// A kernel failed: every later call that touches the device returns this.
void stick(cudaError_t error);
cudaError_t sticky_error();

// cudaGetLastError(), which forgets the error, and cudaPeekAtLastError(), which does not.
cudaError_t take_last_error();
cudaError_t peek_last_error();

}  // namespace convkit::simt

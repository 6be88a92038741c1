// SPDX-License-Identifier: MIT
// The state of CUDA's primary context: the last error of each host thread, and an error of a kernel
// that sticks until the process ends.
#pragma once

#include <functional>

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

// Calls a host function of a stream as CUDA does, in a thread with a last error of its own, where
// CUDA may not be called.
void call_host_function(const std::function<void()>& function);
bool in_host_function();

}  // namespace convkit::simt

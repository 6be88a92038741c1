// SPDX-License-Identifier: MIT
// For the harnesses of GPU stages. The same source serves a real GPU and the CPU device: it is
// compiled against the cuda_runtime.h of either.
#pragma once

#include <cuda_runtime.h>

namespace convkit::harness {

// Throws CudaFailure unless `error`, which a function of the submission returned, is cudaSuccess.
void check_cuda(cudaError_t error, const char* function);

}  // namespace convkit::harness

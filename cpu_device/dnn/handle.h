// SPDX-License-Identifier: MIT
// The object behind a cudnnHandle_t.
#pragma once

#include "simt/cudnn_types.h"

struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace convkit::simt::dnn {

// Whether the handle was created and has not been destroyed.
bool is_alive(cudnnHandle_t handle);

}  // namespace convkit::simt::dnn

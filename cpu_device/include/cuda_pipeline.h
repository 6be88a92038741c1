// SPDX-License-Identifier: MIT
// CUDA's header of this name, as far as C has it: not nvcuda::experimental::pipeline.
#pragma once

#include "cuda_pipeline_primitives.h"

namespace nvcuda::experimental {
class CONVKIT_SIMT_UNAVAILABLE(
    "nvcuda::experimental::pipeline is not supported on the CPU device; call "
    "__pipeline_memcpy_async() and its companions") pipeline;
}

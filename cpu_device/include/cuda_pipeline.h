// SPDX-License-Identifier: MIT
// CUDA's header of this name, as far as C has it: not nvcuda::experimental::pipeline.
#pragma once

#include "cuda_pipeline_primitives.h"

// SPDX-License-Identifier: MIT
// CUDA's header of this name: the tensor cores through nvcuda::wmma. A warp loads matrices into
// fragments, multiplies them and stores the result; here the lane that comes last multiplies for
// all of them (engine/warp_matrices.cpp).
#pragma once

#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "simt/matrix_fragments.h"
#include "simt/matrix_operations.h"
#include "simt/matrix_unsupported.h"

// SPDX-License-Identifier: MIT
// CUDA's header of this name: block, warp and device primitives.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt/cub/device.h"

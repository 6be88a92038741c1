// SPDX-License-Identifier: MIT
// CUDA's header of this name: half and half2, on the CPU device in software.
#pragma once

#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "simt/half_arithmetic.h"
#include "simt/half_comparisons.h"
#include "simt/half_conversions.h"
#include "simt/half_maths.h"
#include "simt/half_memory.h"
#include "simt/half_operators.h"
#include "simt/half_type.h"

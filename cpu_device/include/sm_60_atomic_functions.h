// SPDX-License-Identifier: MIT
// CUDA's header of this name: on the CPU device cuda_runtime.h has it all.
#pragma once

#include "cuda_runtime.h"

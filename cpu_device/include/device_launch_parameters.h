// SPDX-License-Identifier: MIT
// CUDA's header of this name: on the CPU device cuda_runtime.h has it all.
#pragma once

#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda_runtime.h"

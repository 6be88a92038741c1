// SPDX-License-Identifier: MIT
// CUDA's header of this name: cuRAND's generators in kernels. docs/cpu-device.md lists what is
// there.
#pragma once

#define CURAND_KERNEL_H_

#include "curand.h"
#include "simt/curand_normal.h"
#include "simt/curand_uniform.h"

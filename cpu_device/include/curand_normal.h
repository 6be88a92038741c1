// SPDX-License-Identifier: MIT
// CUDA's header of this name.
#pragma once

#include "curand_kernel.h"

// SPDX-License-Identifier: MIT
// CUDA's header of this name: block, warp and device primitives.
#pragma once

#include "simt/cub/device.h"

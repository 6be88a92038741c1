// SPDX-License-Identifier: MIT
// CUDA's header of this name.
#pragma once

#include "simt/texture_types.h"

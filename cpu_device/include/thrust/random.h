// SPDX-License-Identifier: MIT
// CUDA's header of this name: on the CPU device over the standard library.
#pragma once

#include "simt/thrust/random.h"

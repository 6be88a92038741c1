// SPDX-License-Identifier: MIT
// The CPU device's cuda_runtime.h: the language of kernels and the runtime API. Every .cu file is
// compiled with this header first, as nvcc does, so keep it light: what is added here is read for
// each file. cuda_fp16.h and cooperative_groups.h are included by those who use them.
#pragma once

#define __CUDA_RUNTIME_H__

// The names that kernels may use without including anything, as with nvcc.
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

// Tells a program which device it is compiled for.
#define CONVKIT_SIMT 1

#include "simt/address_spaces.h"
#include "simt/atomics.h"
#include "simt/barriers.h"
#include "simt/builtin_variables.h"
#include "simt/cached_access.h"
#include "simt/casts.h"
#include "simt/check_copies.h"
#include "simt/clocks.h"
#include "simt/dot_products.h"
#include "simt/dynamic_shared.h"
#include "simt/integer_intrinsics.h"
#include "simt/launch.h"
#include "simt/launch_attributes.h"
#include "simt/maths.h"
#include "simt/packed_arithmetic.h"
#include "simt/qualifiers.h"
#include "simt/runtime_api.h"
#include "simt/textures.h"
#include "simt/thread_loop.h"
#include "simt/unsupported.h"
#include "simt/vector_functions.h"
#include "simt/warp.h"

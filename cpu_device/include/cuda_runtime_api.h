// SPDX-License-Identifier: MIT
// The runtime API alone, for host code that has no kernels.
#pragma once

#include "simt/qualifiers.h"
#include "simt/runtime_api.h"
#include "simt/vector_functions.h"

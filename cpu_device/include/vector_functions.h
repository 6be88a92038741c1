// SPDX-License-Identifier: MIT
// CUDA's header of this name.
#pragma once

#define __VECTOR_FUNCTIONS_H__

#include "simt/vector_functions.h"

// SPDX-License-Identifier: MIT
// CUDA's header of this name: the CPU device accepts the calls and records nothing.
#pragma once

#include "cuda_runtime_api.h"

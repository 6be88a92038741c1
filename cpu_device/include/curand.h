// SPDX-License-Identifier: MIT
// CUDA's header of this name: cuRAND's host API, on the CPU device by the kit's own library
// (cpu_device/rand, linked with -lcurand).
#pragma once

#define CURAND_H_

#include "cuda_runtime.h"
#include "simt/curand_generators.h"
#include "simt/curand_unsupported.h"

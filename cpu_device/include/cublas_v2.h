// SPDX-License-Identifier: MIT
// CUDA's header of this name: cuBLAS, on the CPU device by the kit's own library
// (cpu_device/blas, linked with -lcublas).
#pragma once

#define CUBLAS_V2_H_

#include "cublas_api.h"

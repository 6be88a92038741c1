// SPDX-License-Identifier: MIT
// CUDA's driver API is not there; programs that include this header out of habit need its version.
#pragma once

#include "cuda_runtime_api.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif

#define CONVKIT_SIMT_NO_DRIVER(name) \
  template <class... Arguments>                                                              \
  CONVKIT_SIMT_UNAVAILABLE(#name "(): the driver API is not supported on the CPU device; "   \
                                 "use the runtime API of cuda_runtime.h")                    \
  int name(Arguments...);

CONVKIT_SIMT_NO_DRIVER(cuInit)
CONVKIT_SIMT_NO_DRIVER(cuDeviceGet)
CONVKIT_SIMT_NO_DRIVER(cuDeviceGetCount)
CONVKIT_SIMT_NO_DRIVER(cuCtxCreate)
CONVKIT_SIMT_NO_DRIVER(cuCtxSynchronize)
CONVKIT_SIMT_NO_DRIVER(cuModuleLoad)
CONVKIT_SIMT_NO_DRIVER(cuModuleLoadData)
CONVKIT_SIMT_NO_DRIVER(cuModuleGetFunction)
CONVKIT_SIMT_NO_DRIVER(cuLaunchKernel)
CONVKIT_SIMT_NO_DRIVER(cuMemAlloc)
CONVKIT_SIMT_NO_DRIVER(cuMemFree)
CONVKIT_SIMT_NO_DRIVER(cuMemcpyHtoD)
CONVKIT_SIMT_NO_DRIVER(cuMemcpyDtoH)
#undef CONVKIT_SIMT_NO_DRIVER

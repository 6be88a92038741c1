// SPDX-License-Identifier: MIT
// Marks what host code and kernels share. Compilers of plain C++ see nothing of it.
#pragma once

#if defined(__CUDACC__)
#define CONVKIT_HOST_DEVICE __host__ __device__
#else
#define CONVKIT_HOST_DEVICE
#endif

// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error \
    "curand.h: cuRAND is not supported on the CPU device; fill the array on the host, or hash the thread's index"

// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error \
    "curand_mtgp32_host.h: MTGP32 is not supported on the CPU device; use curandState or curandStatePhilox4_32_10_t"

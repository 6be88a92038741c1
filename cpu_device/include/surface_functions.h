// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error \
    "surface_functions.h: surfaces are not supported on the CPU device; write to global memory through a pointer"

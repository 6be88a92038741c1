// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error \
    "texture_indirect_functions.h: textures are not supported on the CPU device; read global memory through a const __restrict__ pointer or __ldg()"

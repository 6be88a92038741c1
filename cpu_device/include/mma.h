// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error \
    "mma.h: tensor core fragments (wmma) are not supported on the CPU device; multiply and add in a loop"

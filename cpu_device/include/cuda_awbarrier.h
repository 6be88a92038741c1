// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error \
    "cuda_awbarrier.h: asynchronous copies into shared memory are not supported on the CPU device; copy with plain loads and stores, then __syncthreads()"

// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error "cuda_fp8.h: this format is not supported on the CPU device; use half of cuda_fp16.h"

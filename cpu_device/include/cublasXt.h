// SPDX-License-Identifier: MIT
// Not supported on the CPU device: says so instead of "no such file".
#error "cublasXt.h: cuBLASXt (several GPUs) is not supported on the CPU device; include cublas_v2.h"

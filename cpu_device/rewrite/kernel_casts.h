// SPDX-License-Identifier: MIT
// Kernels that become `void*`. CUDA finds a kernel by its address, the CPU device needs its type.
//
// `cudaLaunchKernel((const void*)kernel, ...)` becomes `cudaLaunchKernel(             kernel,
// ...)`, and so do cudaLaunchCooperativeKernel and cudaLaunchKernelExC. Elsewhere `(void*)kernel`
// becomes
// `::convkit::simt::kernel_type->*kernel`, which tells the engine of the kernel: where it is for
// sure a kernel, and behind `.func =`, a member of cudaKernelNodeParams.
#pragma once

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// `names`: of the translation unit; null in the body of a macro.
void rewrite_kernel_casts(const Stream& stream, const Names* names, Edits& edits);

}  // namespace convkit::rewrite

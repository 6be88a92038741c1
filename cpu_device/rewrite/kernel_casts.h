// SPDX-License-Identifier: MIT
// `cudaLaunchKernel((const void*)kernel, ...)` becomes `cudaLaunchKernel(             kernel,
// ...)`: CUDA finds a kernel by its address, the CPU device needs its type. The same goes for
// cudaLaunchCooperativeKernel and cudaLaunchKernelExC.
#pragma once

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

void drop_kernel_casts(const Stream& stream, Edits& edits);

}  // namespace convkit::rewrite

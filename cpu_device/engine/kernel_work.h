// SPDX-License-Identifier: MIT
// A launch as the work of a graph's node, and kernels that are known by their address alone.
#pragma once

#include "cpu_device/engine/work.h"
#include "simt/launch.h"

namespace convkit::simt {

// To be called in call(). Refuses what a launch of the kernel refuses, in the name of `call`.
cudaError_t kernel_work(const char* call, const ConvkitSimtKernel& kernel,
                        const ConvkitSimtLaunch& launch, Work& work);

// How the kernel's arguments are read, or null: the program has not named it as CUDA's calls do.
ConvkitSimtReadArguments reader_of_arguments(const void* function);

}  // namespace convkit::simt

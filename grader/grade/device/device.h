// SPDX-License-Identifier: MIT
// Which device GPU stages run on, a real GPU or the kit's CPU device, and what a real one needs.
#pragma once

#include <filesystem>
#include <string>

#include "process/programs.h"
#include "session/session.h"

namespace convkit {

struct Device {
  bool gpu = false;
  std::string name = "CPU device";  // or the GPU's
  std::filesystem::path nvcc;       // of a GPU
  std::string architecture;         // "sm_90"
};

// On PATH, in $CUDA_HOME or in /usr/local/cuda; empty where there is none.
std::filesystem::path find_nvcc();

// What was found: nvcc, runners that were built for it,
// and a GPU that answers convkit-gpu-probe. `why_not` says what is missing.
Device find_gpu(const Programs& programs, std::string& why_not);

// wanted: "cpu", "gpu" or "auto". Throws UsageError where "gpu" is wanted and there is none.
Device choose_device(const std::string& wanted, const Programs& programs);

// For a runner on a real GPU: adds the driver's device files and libraries, and loosens the limits
// that its own bookkeeping (address space as large as all memory, shared files, threads) would hit.
void allow_gpu(SessionOptions& options);

}  // namespace convkit

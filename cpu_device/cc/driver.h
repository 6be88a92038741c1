// SPDX-License-Identifier: MIT
// `convkit cc`: compiles and links CUDA programs for the CPU device, as nvcc does for a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cpu_device/cc/arguments.h"
#include "cpu_device/cc/simt_compile.h"
#include "cpu_device/cc/toolchain.h"

namespace convkit {

// What one run has printed and made.
struct CcResult {
  int exit_code = 0;
  std::string output;    // for stdout: -E, -M, --version, --dryrun
  std::string messages;  // for stderr
};

// Writes what the run has said and returns its exit code.
int print(const CcResult& result);

class CcDriver {
 public:
  CcDriver(SimtKit kit, Toolchain toolchain, std::filesystem::path cache, std::string version);

  // Compiles in the working directory. Throws UsageError and KitError.
  CcResult run(const CcArguments& arguments);

 private:
  struct Job;  // one run
  SimtKit kit_;
  Toolchain toolchain_;
  std::filesystem::path cache_;
  std::string version_;
};

}  // namespace convkit

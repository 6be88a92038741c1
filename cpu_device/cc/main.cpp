// SPDX-License-Identifier: MIT
// convkit-cc: `convkit cc` as a program of its own, for an installed CPU device. It finds the
// headers and libraries from its own place, so that the whole folder may be moved.
#include <cstdio>
#include <exception>
#include <iostream>

#include "convkit/kit_error.h"
#include "cpu_device/cc/driver.h"
#include "cpu_device/cc/object_cache.h"
#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelp =
    "Usage: convkit-cc [OPTIONS] FILE...\n"
    "Compiles CUDA programs for the CPU, as nvcc does for a GPU, and takes nvcc's options.\n"
    "Of its own: --check (find races, bad accesses and barriers at run time),\n"
    "            --profile (count memory requests by source line),\n"
    "            --cuda12 (with the names that CUDA 12 has and CUDA 13 dropped).\n"
    "Example:\n"
    "  convkit-cc prog.cu -o prog && ./prog\n";

SimtKit installed_kit() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  SimtKit kit;
  kit.headers = (folder / CONVKIT_HEADERS_FROM_PROGRAM).lexically_normal();
  kit.library = Programs((folder / CONVKIT_LIBRARIES_FROM_PROGRAM).lexically_normal());
  if (!fs::exists(kit.headers / "cuda_runtime.h")) {
    throw KitError("convkit-cc works only where it is installed: " + kit.headers.string() +
                   " holds no cuda_runtime.h.");
  }
  return kit;
}

int compile(const std::vector<std::string>& words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  const CcArguments arguments = read_cc_arguments(words);
  CcDriver driver(installed_kit(), Toolchain::find(), ObjectCache::default_folder(),
                  CONVKIT_VERSION);
  return print(driver.run(arguments));
}

}  // namespace
}  // namespace convkit

int main(int argc, char** argv) {
  using namespace convkit;
  install_interrupt_handler();
  try {
    return compile({argv + 1, argv + argc});
  } catch (const UsageError& error) {
    std::cerr << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "convkit-cc failed: " << error.what() << "\n";
    return 3;
  }
}

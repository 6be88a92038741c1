// SPDX-License-Identifier: MIT
// The flags of a program for the profiler: check mode's (cpu_device/check/compile_flags.h), so that
// each access calls __tsan_read4(address) and the like, without the checks of alignment and of
// indices, which the profiler has no use for.
#pragma once

#include <string>
#include <vector>

#include "cpu_device/check/compile_flags.h"

namespace convkit::simt::profile {

inline std::vector<std::string> compile_flags(bool clang) {
  std::vector<std::string> flags;
  for (std::string& flag : check::compile_flags(clang)) {
    const bool checks = flag == "-fsanitize=alignment" || flag == "-fsanitize=bounds" ||
                        flag == "-fsanitize=array-bounds";
    if (!checks) flags.push_back(std::move(flag));
  }
  return flags;
}

// Compilers leave larger copies to the C library.
inline std::vector<std::string> link_flags() {
  return {"-Wl,--wrap=memcpy", "-Wl,--wrap=memmove", "-Wl,--wrap=memset"};
}

}  // namespace convkit::simt::profile

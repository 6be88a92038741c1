// SPDX-License-Identifier: MIT
// The flags of a program for the profiler: check mode's (cpu_device/check/compile_flags.h), so that
// each access calls __tsan_read4(address) and the like, without the checks of alignment and of
// indices, which the profiler has no use for. Where arithmetic is counted (machine_code.h), each
// basic block begins with a call of __sanitizer_cov_trace_pc(), too.
#pragma once

#include <string>
#include <vector>

#include "cpu_device/check/compile_flags.h"

namespace convkit::simt::profile {

// Whether this machine's processor has fused multiply-adds, of x86-64.
inline bool processor_fuses() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

inline std::vector<std::string> arithmetic_flags(bool clang) {
  // All jumps name their targets, and square roots are instructions.
  std::vector<std::string> flags = {"-mfma", "-ffp-contract=fast", "-fno-jump-tables",
                                    "-fno-math-errno"};
  // Fused multiply-adds, as nvcc makes them: also where this machine's processor is as fast
  // without.
  const std::vector<std::string> gcc = {"-fsanitize-coverage=trace-pc", "-fexpensive-optimizations",
                                        "--param=avoid-fma-max-bits=0"};
  // clang leaves out blocks that others tell of, unless it is asked for all.
  const std::vector<std::string> llvm = {"-fsanitize-coverage=bb,no-prune,trace-pc"};
  const std::vector<std::string>& own = clang ? llvm : gcc;
  flags.insert(flags.end(), own.begin(), own.end());
  return flags;
}

inline std::vector<std::string> compile_flags(bool clang) {
  std::vector<std::string> flags;
  for (std::string& flag : check::compile_flags(clang)) {
    const bool checks = flag == "-fsanitize=alignment" || flag == "-fsanitize=bounds" ||
                        flag == "-fsanitize=array-bounds";
    if (!checks) flags.push_back(std::move(flag));
  }
  // Where a test comes twice, g++ makes two copies of what lies between, also across a barrier.
  if (!clang) flags.push_back("-fno-thread-jumps");
  if (processor_fuses()) {
    const std::vector<std::string> more = arithmetic_flags(clang);
    flags.insert(flags.end(), more.begin(), more.end());
  }
  return flags;
}

// Compilers leave larger copies to the C library.
inline std::vector<std::string> link_flags() {
  return {"-Wl,--wrap=memcpy", "-Wl,--wrap=memmove", "-Wl,--wrap=memset"};
}

}  // namespace convkit::simt::profile

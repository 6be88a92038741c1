// SPDX-License-Identifier: MIT
// The flags of a program for check mode, in addition to those of a plain one. The optimisation
// level is always -O1, whatever the caller asks for: above it, accesses move to other lines.
//
// -fsanitize=thread makes the compiler call __tsan_read4(address) and the like before each access.
// The sanitizer's own runtime is not linked (no -fsanitize at the link): libconvkit_simt_check has
// functions of these names. -fsanitize=alignment and bounds add a call where an address is no
// multiple of its type's alignment, and where an index is beyond an array of known size. In clang,
// `bounds` includes `local-bounds`, which stops the program without a word: only `array-bounds` is
// taken.
#pragma once

#include <string>
#include <vector>

namespace convkit::simt::check {

inline std::vector<std::string> compile_flags(bool clang) {
  // Version 4: addr2line of Debian 12 takes the names of files in version 5 for others. Level 1:
  // functions and lines, which is what reports need; where each variable lies takes a quarter of
  // the compiler's time. A loop that begins with a line of the cache: 3 % of a kernel that does
  // nothing but read.
  std::vector<std::string> flags = {"-gdwarf-4",
                                    "-g1",
                                    "-O1",
                                    "-falign-loops=64",
                                    "-fno-plt",
                                    "-fsanitize=thread",
                                    "-fsanitize=alignment",
                                    "-DCONVKIT_SIMT_CHECK"};
  // Some distributions' compilers define it: then copies are calls that check mode does not see.
  flags.push_back("-U_FORTIFY_SOURCE");
  // Calls that the compiler would put instructions in place of, behind the instrumentation's back.
  for (const char* name :
       {"bcopy", "bzero", "mempcpy", "strcpy", "strncpy", "stpcpy", "stpncpy", "snprintf",
        "vsnprintf", "sprintf", "vsprintf", "wmemcpy", "wmemmove", "wmemset"}) {
    flags.push_back(std::string("-fno-builtin-") + name);
  }
  // Attributes that switch the instrumentation off mean nothing, also where the preprocessor puts
  // the name together. (The compiler ignores an attribute that it does not know.)
  for (const char* name :
       {"no_sanitize", "no_sanitize_thread", "disable_sanitizer_instrumentation"}) {
    flags.push_back(std::string("-D") + name + "=convkit_means_nothing");
    flags.push_back(std::string("-D__") + name + "__=convkit_means_nothing");
  }
  flags.push_back("-Wno-attributes");
  // Entries and exits of functions are not needed; volatile accesses are told apart.
  // A vector is loaded as a whole, as on a GPU, and not element by element: then it is seen that
  // the elements belong together, of which nobody may have written the last ones. (clang has no
  // such option.)
  const std::vector<std::string> gcc = {"-fsanitize=bounds", "-fno-tree-sra",
                                        "--param=tsan-instrument-func-entry-exit=0",
                                        "--param=tsan-distinguish-volatile=1"};
  // For `x[i] += y`, clang reports only the write, unless it is asked for both.
  const std::vector<std::string> llvm = {
      "-fsanitize=array-bounds",      "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
      "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-compound-read-before-write=1"};
  const std::vector<std::string>& own = clang ? llvm : gcc;
  flags.insert(flags.end(), own.begin(), own.end());
  return flags;
}

inline std::vector<std::string> link_flags() {
  std::vector<std::string> flags;
#define CONVKIT_WRAPPED(name) flags.push_back("-Wl,--wrap=" #name);
#include "cpu_device/check/wrapped.def"
#undef CONVKIT_WRAPPED
  return flags;
}

}  // namespace convkit::simt::check

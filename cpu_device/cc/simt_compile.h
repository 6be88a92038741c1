// SPDX-License-Identifier: MIT
// What to write and what to run to compile one .cu file for the CPU device. The same for `convkit
// cc` and for the grader, which runs the compiler in its sandbox:
//
//   const SimtCompile compile = prepare_simt_compile(kit, request);
//   compile.write();
//   // run: compiler, compile.arguments, "-c", compile.source(), "-o", object
//   log = compile.mend(log);
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cpu_device/cc/simt_mode.h"
#include "cpu_device/cc/translation_unit.h"
#include "process/programs.h"

namespace convkit {

struct SimtOptions {
  bool clang = false;  // the compiler is clang, not g++
  SimtMode mode = SimtMode::plain;
};

// The folders of the CPU device.
struct SimtKit {
  std::filesystem::path headers;  // cuda_runtime.h
  Programs library;               // the folder of libconvkit_simt.so

  // In a checkout whose programs are in `programs`. Throws KitError naming what is missing.
  static SimtKit find(const std::filesystem::path& root, const Programs& programs);

  // For the linker. A program finds the libraries again through its own path to them. `stand_ins`:
  // those of cuda_libraries.h.
  std::vector<std::string> link_flags(const SimtOptions& options,
                                      const std::vector<std::string>& stand_ins) const;
};

struct SimtCompile {
  TranslationUnit unit;
  std::filesystem::path scratch;
  std::filesystem::path headers;
  std::filesystem::path prefix;      // included before everything else; may be precompiled
  std::filesystem::path ptx_prefix;  // included after it; empty: no file has inline PTX
  // Flags in front of the caller's own: language, macros, the kit's headers.
  std::vector<std::string> arguments;
  // What the compiler must be able to read in addition to the scratch folder and the caller's
  // files.
  std::vector<std::filesystem::path> readable;

  // The rewriter found errors: print messages(); there is nothing to compile.
  bool failed() const { return unit.failed; }
  std::string messages() const { return unit.messages(); }

  // Writes the copies. Throws std::runtime_error where that is not possible.
  void write() const;
  std::filesystem::path source() const { return unit.files.front().copy; }

  // The compiler's messages with the columns of the originals, the names of the originals, without
  // notes about the inside of the kit's macros, and with the nearest supported name where an
  // unknown CUDA name was used.
  std::string mend(const std::string& log) const;
  // A rule for make with the names of the originals.
  std::string mend_rule(std::string rule) const;
};

// Flags with which kernels compile as CUDA programs expect, including those of the mode.
std::vector<std::string> simt_flags(const SimtOptions& options);
std::vector<std::string> simt_link_flags(SimtMode mode);
// The library that watches, without "lib" and ".so"; it is linked before libconvkit_simt. "" where
// none does.
std::string simt_library(SimtMode mode);

SimtCompile prepare_simt_compile(const SimtKit& kit, TranslationUnitRequest request,
                                 const SimtOptions& options);

}  // namespace convkit

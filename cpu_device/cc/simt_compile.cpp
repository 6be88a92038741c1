// SPDX-License-Identifier: MIT
#include "cpu_device/cc/simt_compile.h"

#include <fmt/core.h>

#include <fstream>

#include "convkit/kit_error.h"
#include "cpu_device/cc/messages.h"
#include "cpu_device/cc/toolchain.h"
#include "cpu_device/check/compile_flags.h"
#include "cpu_device/profile/compile_flags.h"

namespace convkit {

namespace fs = std::filesystem;

SimtKit SimtKit::find(const fs::path& root, const Programs& programs) {
  SimtKit kit;
  kit.headers = root / "cpu_device" / "include";
  kit.library = programs;
  if (!fs::exists(kit.headers / "cuda_runtime.h")) {
    throw KitError(fmt::format("The CPU device's headers are missing: {} holds no cuda_runtime.h.",
                               kit.headers.string()));
  }
  return kit;
}

std::vector<std::string> SimtKit::link_flags(const SimtOptions& options,
                                             const std::vector<std::string>& stand_ins) const {
  const std::string folder = library.folder().string();
  std::vector<std::string> flags = {"-L" + folder, "-Wl,-rpath," + folder};
  const auto link = [&](const std::string& name) {
    library.need("lib" + name + ".so");
    flags.push_back("-l" + name);
  };
  const std::vector<std::string> more = simt_link_flags(options.mode);
  flags.insert(flags.end(), more.begin(), more.end());
  if (const std::string watcher = simt_library(options.mode); !watcher.empty()) link(watcher);
  for (const std::string& name : stand_ins) link(name);
  link("convkit_simt");
  flags.push_back("-pthread");
  return flags;
}

std::vector<std::string> simt_flags(const SimtOptions& options) {
  std::vector<std::string> flags = {
      "-D__CUDACC__",
      // The rewriter has already reported inline assembly.
      "-DCONVKIT_SIMT_ALLOW_ASM",
      // An array larger than the stack must not reach beyond its guard page.
      "-fstack-clash-protection",
      // Kernels read float arrays through float4 and the like, which nvcc allows.
      "-fno-strict-aliasing",
      // #pragma unroll is nvcc's.
      "-Wno-unknown-pragmas"};
  // Loops walk through a tile of two dimensions by `tile[0][e]`, which nvcc allows.
  flags.push_back(options.clang ? "-Wno-pass-failed" : "-fno-aggressive-loop-optimizations");
#if defined(__aarch64__)
  // The processor does not stop at such a division: the engine is called (engine/faults.cpp).
  flags.push_back("-fsanitize=integer-divide-by-zero");
  // Of the stack: g++ takes a guard of 64 KiB for granted here, and clang before version 18 warns
  // that it does not know the option.
  flags.push_back(options.clang ? "-Wno-unused-command-line-argument"
                                : "--param=stack-clash-protection-guard-size=12");
#endif
  // Loops over the threads of a block (simt/thread_loop.h) at -O2, too, as at -O3.
  if (options.mode == SimtMode::plain && !options.clang) {
    flags.insert(flags.end(), {"-ftree-loop-vectorize", "-fvect-cost-model=dynamic"});
  }
  std::vector<std::string> more;
  if (options.mode == SimtMode::check) more = simt::check::compile_flags(options.clang);
  if (options.mode == SimtMode::profile) more = simt::profile::compile_flags(options.clang);
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

std::vector<std::string> simt_link_flags(SimtMode mode) {
  if (mode == SimtMode::check) return simt::check::link_flags();
  if (mode == SimtMode::profile) return simt::profile::link_flags();
  return {};
}

std::string simt_library(SimtMode mode) {
  if (mode == SimtMode::check) return "convkit_simt_check";
  if (mode == SimtMode::profile) return "convkit_simt_profile";
  return "";
}

SimtCompile prepare_simt_compile(const SimtKit& kit, TranslationUnitRequest request,
                                 const SimtOptions& options) {
  SimtCompile compile;
  // What watches a program must know which thread runs.
  request.thread_loops = options.mode == SimtMode::plain;
  compile.unit = read_translation_unit(request);
  compile.scratch = request.scratch;
  compile.headers = kit.headers;
  compile.arguments = {"-x", "c++"};
  const std::vector<std::string> flags = simt_flags(options);
  compile.arguments.insert(compile.arguments.end(), flags.begin(), flags.end());
  compile.arguments.insert(compile.arguments.end(), {"-isystem", kit.headers.string()});
  // Includes that only the preprocessor can follow, of names that are macros.
  const fs::path beside = fs::path(request.file).parent_path();
  compile.arguments.push_back("-iquote" + (beside.empty() ? "." : beside.string()));
  compile.prefix = request.scratch / "cuda_prefix.h";
  compile.arguments.insert(compile.arguments.end(), {"-include", compile.prefix.string()});
  if (compile.unit.inline_ptx) {
    compile.ptx_prefix = request.scratch / "ptx_prefix.h";
    compile.arguments.insert(compile.arguments.end(), {"-include", compile.ptx_prefix.string()});
  }
  // Excerpts would show columns of the copies: mend() adds those of the originals.
  compile.arguments.push_back("-fdiagnostics-color=never");
  compile.arguments.push_back(options.clang ? "-fno-caret-diagnostics"
                                            : "-fno-diagnostics-show-caret");
  // In bytes, as here. (g++ has counted otherwise since version 11.)
  if (!options.clang) compile.arguments.push_back("-fdiagnostics-column-unit=byte");
  compile.readable = {kit.headers};
  return compile;
}

void SimtCompile::write() const {
  const auto write = [](const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw std::runtime_error(fmt::format("{} cannot be written.", file.string()));
  };
  // Found among the kit's headers, where the compiler does not warn.
  write(prefix, "#include <cuda_runtime.h>\n");
  if (!ptx_prefix.empty()) write(ptx_prefix, "#include <simt/ptx.h>\n");
  for (const RewrittenFile& file : unit.files) write(file.copy, file.text);
}

std::string SimtCompile::mend(const std::string& log) const {
  return mend_messages(log, unit, headers);
}

std::string SimtCompile::mend_rule(std::string rule) const {
  // As compilers write names for make.
  const auto in_rule = [](const std::string& name) {
    return replaced(replaced(replaced(name, "$", "$$"), " ", "\\ "), "#", "\\#");
  };
  for (const RewrittenFile& file : unit.files) {
    rule = replaced(std::move(rule), in_rule(file.copy.string()), in_rule(file.name));
  }
  for (const fs::path& each : {prefix, ptx_prefix}) {
    if (each.empty()) continue;
    const std::string before = " " + in_rule(each.string());
    rule = replaced(std::move(rule), before + " \\\n", "");
    rule = replaced(std::move(rule), before, "");
  }
  return rule;
}

}  // namespace convkit

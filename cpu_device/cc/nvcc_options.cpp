// SPDX-License-Identifier: MIT
#include "cpu_device/cc/nvcc_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

using Value = NvccOption::Value;
using Meaning = NvccOption::Meaning;

constexpr std::string_view kNoMachineCode =
    "the CPU device compiles for this computer's processor; there is no GPU code to write";

constexpr NvccOption kOptions[] = {
    {"output-file", "o", Value::prefixed, Meaning::output},
    {"include-path", "I", Value::prefixed, Meaning::include},
    {"system-include", "isystem", Value::separate, Meaning::system_include},
    {"pre-include", "include", Value::separate, Meaning::compiler, "-include"},
    {"define-macro", "D", Value::prefixed, Meaning::macro},
    {"undefine-macro", "U", Value::prefixed, Meaning::undefine},
    {"library", "l", Value::prefixed, Meaning::library},
    {"library-path", "L", Value::prefixed, Meaning::library_folder},
    {"std", "", Value::separate, Meaning::standard},
    {"optimize", "O", Value::prefixed, Meaning::optimise},
    {"x", "", Value::separate, Meaning::language},
    {"compiler-options", "Xcompiler", Value::separate, Meaning::list_compiler},
    {"linker-options", "Xlinker", Value::separate, Meaning::list_linker},
    {"compiler-bindir", "ccbin", Value::separate, Meaning::host_compiler},
    {"debug", "g", Value::none, Meaning::compiler, "-g"},
    {"device-debug", "G", Value::none, Meaning::debug_device},
    {"pg", "", Value::none, Meaning::compiler, "-pg"},  // its long name is our profiler's
    {"compile", "c", Value::none, Meaning::mode_objects},
    {"device-c", "dc", Value::none, Meaning::mode_relocatable_objects},
    {"device-w", "dw", Value::none, Meaning::mode_objects},
    {"device-link", "dlink", Value::none, Meaning::mode_device_link},
    {"preprocess", "E", Value::none, Meaning::mode_preprocess},
    {"generate-dependencies", "M", Value::none, Meaning::mode_dependencies},
    {"generate-nonsystem-dependencies", "MM", Value::none, Meaning::mode_dependencies},
    {"generate-dependencies-with-compile", "MD", Value::none, Meaning::writes_dependencies, "-MD"},
    {"generate-nonsystem-dependencies-with-compile", "MMD", Value::none,
     Meaning::writes_dependencies, "-MMD"},
    {"dependency-output", "MF", Value::separate, Meaning::dependency_file},
    {"dependency-target-name", "MT", Value::separate, Meaning::compiler, "-MT"},
    {"generate-dependency-targets", "MP", Value::none, Meaning::compiler, "-MP"},
    {"shared", "", Value::none, Meaning::shared},
    {"disable-warnings", "w", Value::none, Meaning::warnings_off},
    {"Werror", "", Value::none, Meaning::errors},
    {"check", "", Value::none, Meaning::check},
    {"cuda12", "", Value::none, Meaning::compiler, "-DCONVKIT_SIMT_CUDA_12"},
    {"profile", "", Value::none, Meaning::profile},
    {"dryrun", "dry-run", Value::none, Meaning::dry_run},
    {"verbose", "v", Value::none, Meaning::verbose},
    {"keep", "save-temps", Value::none, Meaning::keep},
    {"keep-dir", "", Value::separate, Meaning::keep_folder},
    {"options-file", "optf", Value::separate, Meaning::options_file},
    {"version", "V", Value::none, Meaning::mode_version},

    {"gpu-architecture", "arch", Value::separate, Meaning::ignored},
    {"gpu-code", "code", Value::separate, Meaning::ignored},
    {"generate-code", "gencode", Value::separate, Meaning::ignored},
    {"relocatable-device-code", "rdc", Value::separate, Meaning::relocatable},
    {"entries", "e", Value::separate, Meaning::ignored},
    {"maxrregcount", "", Value::separate, Meaning::ignored},
    {"use_fast_math", "use-fast-math", Value::none, Meaning::ignored},
    {"ftz", "", Value::separate, Meaning::ignored},
    {"prec-div", "", Value::separate, Meaning::ignored},
    {"prec-sqrt", "", Value::separate, Meaning::ignored},
    {"fmad", "", Value::separate, Meaning::ignored},
    {"extra-device-vectorization", "", Value::none, Meaning::ignored},
    {"generate-line-info", "lineinfo", Value::none, Meaning::ignored},
    {"source-in-ptx", "src-in-ptx", Value::none, Meaning::ignored},
    {"restrict", "", Value::none, Meaning::ignored},
    {"extended-lambda", "expt-extended-lambda", Value::none, Meaning::ignored},
    {"expt-relaxed-constexpr", "", Value::none, Meaning::ignored},
    {"ptxas-options", "Xptxas", Value::separate, Meaning::ignored},
    {"nvlink-options", "Xnvlink", Value::separate, Meaning::ignored},
    {"archive-options", "Xarchive", Value::separate, Meaning::ignored},
    {"cudafe-options", "Xcudafe", Value::separate, Meaning::ignored},
    {"fatbin-options", "Xfatbin", Value::separate, Meaning::ignored},
    {"resource-usage", "res-usage", Value::none, Meaning::ignored},
    {"cudart", "", Value::separate, Meaning::ignored},
    {"cudadevrt", "", Value::separate, Meaning::ignored},
    {"libdevice-directory", "ldir", Value::separate, Meaning::ignored},
    {"target-directory", "target-dir", Value::separate, Meaning::ignored},
    {"machine", "m", Value::separate, Meaning::ignored},
    {"m64", "", Value::none, Meaning::ignored},
    {"threads", "t", Value::separate, Meaning::ignored},
    {"split-compile", "", Value::separate, Meaning::ignored},
    {"dopt", "", Value::separate, Meaning::ignored},
    {"dlink-time-opt", "dlto", Value::none, Meaning::ignored},
    {"gen-opt-lto", "", Value::none, Meaning::ignored},
    {"time", "", Value::separate, Meaning::ignored},
    {"diag-error", "", Value::separate, Meaning::ignored},
    {"diag-suppress", "", Value::separate, Meaning::ignored},
    {"diag-warn", "", Value::separate, Meaning::ignored},
    {"display-error-number", "err-no", Value::none, Meaning::ignored},
    {"no-display-error-number", "", Value::none, Meaning::ignored},
    {"brief-diagnostics", "", Value::separate, Meaning::ignored},
    {"no-compress", "", Value::none, Meaning::ignored},
    {"compress-mode", "", Value::separate, Meaning::ignored},
    {"forward-unknown-to-host-compiler", "", Value::none, Meaning::ignored},
    {"forward-unknown-to-host-linker", "", Value::none, Meaning::ignored},
    {"allow-unsupported-compiler", "", Value::none, Meaning::ignored},
    {"dont-use-profile", "noprof", Value::none, Meaning::ignored},
    {"no-host-device-initializer-list", "", Value::none, Meaning::ignored},
    {"no-host-device-move-forward", "", Value::none, Meaning::ignored},
    {"static-global-template-stub", "", Value::separate, Meaning::ignored},
    {"Wno-deprecated-gpu-targets", "", Value::none, Meaning::ignored},
    {"Wdefault-stream-launch", "", Value::none, Meaning::ignored},
    {"Wmissing-launch-bounds", "", Value::none, Meaning::ignored},
    {"Wext-lambda-captures-this", "", Value::none, Meaning::ignored},
    {"default-stream", "", Value::separate, Meaning::ignored},

    {"ptx", "", Value::none, Meaning::refused, kNoMachineCode},
    {"cubin", "", Value::none, Meaning::refused, kNoMachineCode},
    {"fatbin", "", Value::none, Meaning::refused, kNoMachineCode},
    {"optix-ir", "", Value::none, Meaning::refused, kNoMachineCode},
    {"ltoir", "", Value::none, Meaning::refused, kNoMachineCode},
    {"cuda", "", Value::none, Meaning::refused, kNoMachineCode},
    {"lib", "", Value::none, Meaning::refused,
     "compile with -c, then make the library with: ar rcs"},
    {"run", "", Value::none, Meaning::refused, "run the program yourself"},
};

bool names(const NvccOption& option, std::string_view wanted) {
  return wanted == option.name || (!option.other.empty() && wanted == option.other);
}

}  // namespace

const NvccOption* find_nvcc_option(std::string_view argument) {
  const bool two_dashes = argument.starts_with("--");
  std::string_view name = argument.substr(two_dashes ? 2 : 1);
  if (const size_t equals = name.find('='); equals != std::string_view::npos) {
    const std::string_view before = name.substr(0, equals);
    for (const NvccOption& option : kOptions) {
      if (option.value != Value::none && names(option, before)) return &option;
    }
  }
  for (const NvccOption& option : kOptions) {
    if (names(option, name)) return &option;
  }
  if (two_dashes) return nullptr;
  for (const NvccOption& option : kOptions) {
    if (option.value == Value::prefixed && !option.other.empty() &&
        name.starts_with(option.other)) {
      return &option;
    }
  }
  return nullptr;
}

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',' || c == ' ') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase(parts, "");
  return parts;
}

std::string standard_flag(const std::string& wanted) {
  const std::string number = wanted.substr(std::min(wanted.size(), wanted.find("++") + 2));
  if (number == "20" || number == "2a") return "-std=gnu++20";
  if (number == "23" || number == "2b") return "-std=gnu++23";
  for (const char* older : {"03", "11", "0x", "14", "1y", "17", "1z"}) {
    if (number == older) return "-std=gnu++17";
  }
  throw UsageError(fmt::format(
      "-std={} is not a standard that convkit cc knows; it knows c++17, c++20 and c++23.", wanted));
}

std::vector<std::string> split_folders(const std::string& list) {
  std::vector<std::string> folders;
  std::istringstream in(list);
  std::string folder;
  while (std::getline(in, folder, ',')) {
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

bool is_cuda_toolkit(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "crt" / "host_config.h", error);
}

}  // namespace convkit

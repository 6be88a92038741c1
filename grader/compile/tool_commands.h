// SPDX-License-Identifier: MIT
// The command lines of compiler and linker, and what they may read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/build_request.h"
#include "cpu_device/cc/simt_compile.h"
#include "cpu_device/cc/toolchain.h"

namespace convkit {

struct ToolCommand {
  std::vector<std::string> argv;
  std::vector<std::filesystem::path> readable;
};

// The flags of one source: the stage's, then its own.
std::vector<std::string> flags_of(const BuildRequest& request, const std::string& file);

// For the CPU device, the source is rewritten first: `simt` then has the rewriter's messages, and
// mends those of the compiler. With simt->failed() there is nothing to run. `header_flags`: all
// that decides whether a precompiled cuda_runtime.h fits.
struct CompileCommand : ToolCommand {
  std::optional<SimtCompile> simt;
  std::vector<std::string> header_flags;
};
CompileCommand compile_command(const BuildRequest& request, const Toolchain& toolchain,
                               const std::string& file, const std::filesystem::path& scratch,
                               const std::filesystem::path& object);

// `linker`: "" for the compiler's own.
ToolCommand link_command(const BuildRequest& request, const Toolchain& toolchain,
                         const std::string& linker,
                         const std::vector<std::filesystem::path>& objects,
                         const std::filesystem::path& library);

}  // namespace convkit

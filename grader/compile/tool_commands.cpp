// SPDX-License-Identifier: MIT
#include "compile/tool_commands.h"

#include "compile/warnings.h"
#include "cpu_device/check/compile_flags.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kSanitizers = {"-fsanitize=address,undefined",
                                              "-fno-sanitize-recover=undefined",
                                              "-fno-omit-frame-pointer", "-g", "-O1"};

// All that nvcc reads and runs lies below it.
fs::path cuda_toolkit(const BuildRequest& request) {
  return fs::canonical(request.nvcc).parent_path().parent_path();
}

}  // namespace

std::vector<std::string> flags_of(const BuildRequest& request, const std::string& file) {
  std::vector<std::string> flags = request.flags;
  const auto own = request.file_flags.find(file);
  if (own != request.file_flags.end()) {
    flags.insert(flags.end(), own->second.begin(), own->second.end());
  }
  return flags;
}

CompileCommand compile_command(const BuildRequest& request, const Toolchain& toolchain,
                               const std::string& file, const fs::path& scratch,
                               const fs::path& object) {
  const std::vector<std::string> flags = flags_of(request, file);
  CompileCommand command;
  auto& [argv, readable] = static_cast<ToolCommand&>(command);
  readable = {request.folder};
  std::string source = "./" + file;  // a file name that begins with a dash is still a file name
  if (request.target == BuildTarget::gpu) {
    // For lambdas with `__device__`, which the CPU device compiles, too.
    argv = {request.nvcc.string(), "-arch=" + request.gpu_architecture, "--extended-lambda"};
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), {"-Xcompiler", "-fPIC,-fdiagnostics-color=never"});
    readable.push_back(cuda_toolkit(request));
  } else {
    argv = {toolchain.compiler.string()};
    argv.insert(argv.end(), flags.begin(), flags.end());
    if (request.sanitize) argv.insert(argv.end(), kSanitizers.begin(), kSanitizers.end());
    const std::vector<std::string> telling = telling_flags(toolchain.is_clang());
    argv.insert(argv.end(), telling.begin(), telling.end());
    argv.insert(argv.end(), {"-fPIC", "-fdiagnostics-color=never"});
  }
  if (request.target == BuildTarget::cpu_device) {
    TranslationUnitRequest unit;
    unit.folder = request.folder;
    unit.file = file;
    unit.scratch = scratch;
    unit.roots = {request.folder};
    SimtOptions options;
    options.clang = toolchain.is_clang();
    options.mode = request.mode;
    command.simt = prepare_simt_compile({request.device_headers, {}}, unit, options);
    if (command.simt->failed()) return command;
    command.simt->write();
    source = command.simt->source().string();
    // A GPU contracts a * b + c, too.
    argv.insert(argv.end(), {"-march=native", "-ffp-contract=fast"});
    command.header_flags.assign(argv.begin() + 1, argv.end());
    const std::vector<std::string> device_flags = simt_flags(options);
    command.header_flags.insert(command.header_flags.end(), device_flags.begin(),
                                device_flags.end());
    argv.insert(argv.end(), command.simt->arguments.begin(), command.simt->arguments.end());
    readable.insert(readable.end(), command.simt->readable.begin(), command.simt->readable.end());
  }
  for (const fs::path& folder : request.include_folders) {
    argv.push_back("-I" + folder.string());
    readable.push_back(folder);
  }
  for (const fs::path& header : request.headers) {
    argv.push_back("-I" + header.parent_path().string());
    readable.push_back(header);
  }
  argv.insert(argv.end(), {"-c", source, "-o", object.string()});
  return command;
}

ToolCommand link_command(const BuildRequest& request, const Toolchain& toolchain,
                         const std::string& linker, const std::vector<fs::path>& objects,
                         const fs::path& library) {
  ToolCommand command;
  auto& [argv, readable] = command;
  readable = {request.folder};
  argv = {toolchain.compiler.string(), "-shared"};
  if (request.target == BuildTarget::gpu) {
    argv = {request.nvcc.string(),
            "-arch=" + request.gpu_architecture,
            "-shared",
            "-cudart",
            "shared",
            "-Xlinker",
            "-z,defs"};
    readable.push_back(cuda_toolkit(request));
  } else if (request.sanitize) {
    // A sanitized library takes its runtime from the runner, so it has undefined symbols. g++ would
    // link the runtime of its own version with it, which may be another one; clang does not.
    argv.insert(argv.end(), kSanitizers.begin(), kSanitizers.end());
    if (!toolchain.is_clang()) argv.push_back("-static-libasan");
  } else {
    argv.push_back("-Wl,-z,defs");
  }
  if (!linker.empty() && request.target != BuildTarget::gpu) argv.push_back("-fuse-ld=" + linker);
  for (const auto* files : {&objects, &request.device_libraries}) {
    for (const fs::path& file : *files) {
      argv.push_back(file.string());
      readable.push_back(file);
    }
  }
  const std::vector<std::string> flags = simt_link_flags(request.mode);
  argv.insert(argv.end(), flags.begin(), flags.end());
  argv.insert(argv.end(), request.link_flags.begin(), request.link_flags.end());
  argv.insert(argv.end(), {"-o", library.string()});
  return command;
}

}  // namespace convkit

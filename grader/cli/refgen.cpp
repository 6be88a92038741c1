// SPDX-License-Identifier: MIT
// `refgen`: hands over to the NumPy generator.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/commands.h"
#include "convkit/kit_error.h"
#include "cpu_device/cc/toolchain.h"
#include "process/process.h"

namespace convkit {

namespace fs = std::filesystem;

fs::path find_python() {
  const char* wanted = std::getenv("CONVKIT_PYTHON");
  for (const std::string candidate : {wanted ? wanted : "", "python3", "/usr/bin/python3"}) {
    if (candidate.empty()) continue;
    const fs::path python = find_on_path(candidate);
    if (python.empty()) continue;
    Limits limits;
    limits.wall = std::chrono::seconds(30);
    Command command;
    command.argv = {python.string(), "-c", "import numpy"};
    command.environment = handed_on({"PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH"});
    const Ending ending = run_process(command, limits).ending;
    if (ending.kind == Ending::Kind::exited && ending.code == 0) return python;
  }
  throw UsageError(
      "No Python with NumPy was found (tried CONVKIT_PYTHON, python3 and /usr/bin/python3). On "
      "Debian and Ubuntu: apt-get install python3-numpy");
}

int run_refgen(const Kit& kit, const RefgenOptions& options) {
  const fs::path python = find_python();
  std::vector<std::string> argv = {python.string(),
                                   (kit.root / "reference_data" / "generate.py").string()};
  if (!options.stage.empty()) {
    argv.insert(argv.end(), {"--stage", find_stage(kit.stages, options.stage).id});
  }
  if (!options.seed.empty()) argv.insert(argv.end(), {"--seed", options.seed});
  if (!options.out.empty()) {
    if (options.stage.empty()) throw UsageError("--out needs --stage.");
    // The folder that CONVKIT_HIDDEN names holds a folder for each stage.
    argv.insert(argv.end(),
                {"--out", (options.out / find_stage(kit.stages, options.stage).id).string()});
  }
  if (options.check) argv.push_back("--check");
  if (options.list) argv.push_back("--list");
  std::vector<char*> pointers;
  for (std::string& arg : argv) pointers.push_back(arg.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execv(python.c_str(), pointers.data());
  throw KitError(fmt::format("{} cannot be started: {}.", python.string(), std::strerror(errno)));
}

}  // namespace convkit

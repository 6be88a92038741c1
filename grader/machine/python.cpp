// SPDX-License-Identifier: MIT
#include "machine/python.h"

#include <cstdlib>
#include <string>

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

}  // namespace convkit

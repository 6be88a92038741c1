// SPDX-License-Identifier: MIT
#include "machine/python.h"

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string_view>

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

Generated run_generator(const fs::path& root, const std::vector<std::string>& arguments) {
  Command command;
  command.argv = {find_python().string(), (root / "reference_data" / "generate.py").string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = handed_on({"PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH"});
  command.environment.push_back("PYTHONDONTWRITEBYTECODE=1");
  Limits limits;
  limits.wall = std::chrono::minutes(10);
  const Completed completed = run_process(command, limits);
  const bool good = completed.ending.kind == Ending::Kind::exited && completed.ending.code == 0;
  std::string first, sentence, line;
  std::istringstream in(completed.output);
  while (std::getline(in, line)) {
    if (first.empty()) first = line;
    // A stage's Python may have printed something, or NumPy a warning, before this.
    constexpr std::string_view kName = "generate.py: ";
    if (good) sentence = line;
    if (!good && line.starts_with(kName)) sentence = line.substr(kName.size());
  }
  return {good, sentence.empty() ? first : sentence};
}

}  // namespace convkit

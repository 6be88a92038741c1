// SPDX-License-Identifier: MIT
#include "process/programs.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

// The launcher shows progress on the terminal, so it shares this process's standard error.
bool build(const std::string& launcher, const std::string& target) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(launcher.c_str(), launcher.c_str(), "--build-part", target.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

std::string Programs::target_of(const std::string& file) const {
  std::ifstream parts(folder_ / "parts.txt");
  std::string name, target;
  while (parts >> name >> target) {
    if (name == file) return target;
  }
  return "";
}

bool Programs::has(const std::string& file) const {
  std::error_code error;
  return std::filesystem::exists(folder_ / file, error) || !target_of(file).empty();
}

std::filesystem::path Programs::need(const std::string& file) const {
  const std::filesystem::path path = folder_ / file;
  std::error_code error;
  if (std::filesystem::exists(path, error)) return path;
  const std::string target = target_of(file);
  const char* launcher = std::getenv("CONVKIT_LAUNCHER");
  if (target.empty()) throw KitError(path.string() + " was not built.");
  if (!launcher) {
    throw KitError(path.string() +
                   " was not built. Start the command by ./convkit at the kit's root, which builds "
                   "what is missing.");
  }
  if (!build(launcher, target) || !std::filesystem::exists(path, error)) {
    throw KitError(path.string() + " could not be built.");
  }
  return path;
}

std::vector<std::string> Programs::all() const {
  std::set<std::string> names = {"convkit", "convkit-confine"};
  std::ifstream parts(folder_ / "parts.txt");
  if (parts) {  // a build folder may also hold programs of the kit's tests
    std::string name, target;
    while (parts >> name >> target) names.insert(name);
  } else {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace convkit

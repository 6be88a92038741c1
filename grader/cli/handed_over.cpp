// SPDX-License-Identifier: MIT
#include "cli/handed_over.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "convkit/kit_error.h"

namespace convkit {

void hand_over(const Kit& kit, const char* program, std::string command,
               std::vector<std::string> words) {
  std::string file = kit.programs.need(program).string();
  std::vector<char*> argv = {file.data(), command.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(file.c_str(), argv.data());
  throw KitError("Cannot start " + file + ": " + std::strerror(errno) + ".");
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "cli/handed_over.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

class HandedOverCommand final : public CliCommand {
 public:
  explicit HandedOverCommand(const HandedOver& command)
      : CliCommand(command.text), program_(command.program) {}

  bool reads_words(bool) const override { return true; }
  void read_words(const std::vector<std::string>& words) override { words_ = words; }
  int run(Kit& kit) override { hand_over(kit, program_, name(), words_); }

 private:
  const char* program_;
  std::vector<std::string> words_;
};

}  // namespace

void hand_over(const Kit& kit, const char* program, std::string command,
               std::vector<std::string> words) {
  std::string file = kit.programs.need(program).string();
  std::vector<char*> argv = {file.data(), command.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(file.c_str(), argv.data());
  throw KitError("Cannot start " + file + ": " + std::strerror(errno) + ".");
}

std::unique_ptr<CliCommand> handed_over(const HandedOver& command) {
  return std::make_unique<HandedOverCommand>(command);
}

}  // namespace convkit

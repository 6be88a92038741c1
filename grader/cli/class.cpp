// SPDX-License-Identifier: MIT
// `class`: hands over to classroom/, which starts `grade` for each submission.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/commands.h"
#include "convkit/kit_error.h"
#include "machine/python.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

class ClassCommand final : public CliCommand {
 public:
  ClassCommand()
      : CliCommand("class", "grade a class and keep its book",
                   "./convkit class grade submissions/ --book course.db") {}

  // Its own commands and their --help are classroom/convkit_class/cli.py's.
  bool reads_words(bool) const override { return true; }
  void read_words(const std::vector<std::string>& words) override { words_ = words; }
  int run(Kit& kit) override {
    const fs::path script = kit.root / "classroom" / "main.py";
    std::error_code error;
    if (!fs::exists(script, error)) {
      throw UsageError("This copy of the kit is for students and cannot grade a class.");
    }
    const std::string python = find_python().string();
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    setenv("CONVKIT_ROOT", kit.root.c_str(), 1);
    setenv("CONVKIT_PROGRAM", program.c_str(), 1);
    std::vector<std::string> argv = {python, script.string()};
    argv.insert(argv.end(), words_.begin(), words_.end());
    std::vector<char*> pointers;
    for (std::string& word : argv) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::fflush(nullptr);
    execv(python.c_str(), pointers.data());
    throw KitError(fmt::format("{} cannot be started: {}.", python, std::strerror(errno)));
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<CliCommand> class_command() {
  return std::make_unique<ClassCommand>();
}

}  // namespace convkit

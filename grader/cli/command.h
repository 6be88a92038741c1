// SPDX-License-Identifier: MIT
// A command of the program. Each has a file of its own, which declares its options and runs it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "grade/kit.h"

namespace convkit {

class CliCommand {
 public:
  // `about` and `example` are for --help.
  CliCommand(const char* name, const char* about, const char* example)
      : name_(name), about_(about), example_(example) {}
  virtual ~CliCommand() = default;

  const char* name() const { return name_; }
  const char* about() const { return about_; }
  const char* example() const { return example_; }

  virtual void declare(const Options& options) { (void)options; }
  // For a command that has no options of its own, but reads all words behind its name itself.
  virtual bool reads_words() const { return false; }
  virtual void read_words(const std::vector<std::string>& words) { (void)words; }
  // Returns the exit code: 0 everything passed, 1 the submission falls short, 2 used wrongly, 3 the
  // grader failed, 130 interrupted.
  virtual int run(Kit& kit) = 0;

 private:
  const char *name_, *about_, *example_;
};

// A command without options.
class PlainCommand final : public CliCommand {
 public:
  PlainCommand(const char* name, const char* about, const char* example, int (*action)(const Kit&))
      : CliCommand(name, about, example), action_(action) {}
  int run(Kit& kit) override { return action_(kit); }

 private:
  int (*action_)(const Kit&);
};

constexpr const char* kStageHelp = "the stage: 1, 01 or 01_cpu_conv";
constexpr const char* kFolderHelp = "the folder with the stage's files (default: work/NN_name)";

}  // namespace convkit

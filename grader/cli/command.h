// SPDX-License-Identifier: MIT
// A command of the program. Its file declares its options and runs it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "grade/kit.h"

namespace convkit {

// What --help says of a command.
struct CommandText {
  const char *name, *about, *example;
};

class CliCommand {
 public:
  explicit CliCommand(const CommandText& text) : text_(text) {}
  CliCommand(const char* name, const char* about, const char* example)
      : text_{name, about, example} {}
  virtual ~CliCommand() = default;

  const char* name() const { return text_.name; }
  const char* about() const { return text_.about; }
  const char* example() const { return text_.example; }

  virtual void declare(const Options& options) { (void)options; }
  // For a command that has no options of its own: read_words() is all that it gets.
  // `help`: they are only --help or -h.
  virtual bool reads_words(bool help) const {
    (void)help;
    return false;
  }
  // All words behind its name, of every command, before the options are parsed.
  virtual void read_words(const std::vector<std::string>& words) { (void)words; }
  // Returns the exit code: 0 everything passed, 1 the submission falls short, 2 used wrongly, 3 the
  // grader failed, 130 interrupted.
  virtual int run(Kit& kit) = 0;
  // Whether the code that run() returns is 130 where its result lacks something for an
  // interruption, and not 130 where the result was whole by then. Otherwise a command that was
  // interrupted at any time ends with 130.
  virtual bool result_tells_of_interruption() const { return false; }

 private:
  CommandText text_;
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

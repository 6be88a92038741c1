// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <algorithm>
#include <exception>
#include <iostream>

#include "convkit/kit_error.h"
#include "convkit/nearest.h"
#include "machine/console.h"
#include "machine/environment.h"
#include "process/process.h"
#include "process/sandbox.h"
#include "report/plain_text.h"

namespace convkit {
namespace {

constexpr int kUsage = 2, kGraderFailed = 3, kInterrupted = 130;

// A sentence for a command that does not exist, with the nearest that does, or with a command that
// has an option of this name; "" where it does exist.
std::string unknown_command(const CommandLine& line, const std::string& typed) {
  if (typed[0] == '-') return "";
  const std::vector<std::string> names = line.commands();
  if (std::ranges::find(names, typed) != names.end()) return "";
  std::string sentence = "There is no command `" + typed + "`.";
  if (const auto with = line.commands_with(typed); !with.empty()) {
    sentence += " It is an option: ./convkit " + with[0] + " --" + typed + ".";
  } else if (const std::string near = nearest(typed, names); !near.empty()) {
    sentence += " Did you mean `" + near + "`?";
  }
  return sentence + " See ./convkit --help.";
}

int fail(int code, const std::string& sentence) {
  std::cerr << plain_text(as_typed(sentence)) << "\n";
  return code;
}

int parse_and_run(int argc, char** argv, const Commands& commands) {
  CommandLine line(
      "convkit", "Convolution on CPU and GPU, in stages: start, check, bench, submit, grade.",
      "Students: list, start 1, check 1, bench 1, submit 1.\n"
      "Instructors: grade SUBMISSION. TAs: refgen, verify, new-stage, new-case, new-variant.\n"
      "`./convkit test` runs the kit's own tests; `--offline` before any command never "
      "uses the network.\n"
      "`./convkit COMMAND --help` explains each, with an example.");
  bool version = false;
  line.options().flag("--version", version, "print the version");
  for (const auto& command : commands) {
    command->declare(line.command(command->name(), command->about(),
                                  std::string("Example:\n  ") + command->example()));
  }
  if (argc == 1) {
    return fail(kUsage,
                "Say what to do: ./convkit list shows the stages, ./convkit --help the commands.");
  }
  const std::vector<std::string> words(argv + 1, argv + argc);
  // --version alone is a whole command line.
  if (words.size() == 1 && words[0] == "--version") {
    std::cout << "convkit " << CONVKIT_VERSION << "\n";
    return 0;
  }
  if (const std::string message = unknown_command(line, words[0]); !message.empty()) {
    return fail(kUsage, message);
  }
  const auto named = [&](const std::string& name) -> CliCommand& {
    return **std::ranges::find_if(commands, [&](const auto& c) { return name == c->name(); });
  };
  const bool help = words.size() == 2 && (words[1] == "--help" || words[1] == "-h");
  const bool names_command = words[0][0] != '-';
  if (names_command) named(words[0]).read_words({words.begin() + 1, words.end()});
  if (!names_command || !named(words[0]).reads_words(help)) {
    try {
      if (const auto text = line.parse(argc, argv)) {
        std::cout << as_typed(*text);
        return 0;
      }
    } catch (const UsageError& error) {
      const std::string chosen = line.chosen_command();
      return fail(kUsage, error.what() + std::string("\nSee ./convkit ") + chosen +
                              (chosen.empty() ? "" : " ") + "--help.");
    }
  }
  settle_environment();
  Kit kit = Kit::find();
  CliCommand& command = named(line.chosen_command().empty() ? words[0] : line.chosen_command());
  const int code = command.run(kit);
  return interrupted() && !command.result_tells_of_interruption() ? kInterrupted : code;
}

}  // namespace

int run_program(int argc, char** argv, const Commands& commands) {
  install_interrupt_handler();
  try {
    return parse_and_run(argc, argv, commands);
  } catch (const UsageError& error) {
    return fail(kUsage, error.what());
  } catch (const InterruptedWhileProbing& error) {
    return fail(kInterrupted, error.what());
  } catch (const std::exception& error) {  // a KitError or an unexpected exception
    return fail(kGraderFailed, std::string("GRADER_ERROR  ") + error.what());
  }
}

}  // namespace convkit

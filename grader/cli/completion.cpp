// SPDX-License-Identifier: MIT
// `completion`: the completion script of a shell.
#include <iostream>

#include "cli/commands.h"

namespace convkit {
namespace {

// Options come from --help, so that this script cannot fall behind the commands.
constexpr const char* kBash = R"sh(_convkit() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "@COMMANDS@ --help --version" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$("$program" "$command" --help 2>/dev/null | grep -o -- '--[a-z-]*' | sort -u)" -- "$word"))
  else
    case $command in
      start|check|show|run|bench|train|submit|new-case|new-variant)
        COMPREPLY=($(compgen -W "$("$program" list 2>/dev/null | grep -o '[0-9][0-9]_[a-z0-9_]*')" -- "$word")) ;;
      *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
  fi
}
complete -F _convkit convkit ./convkit
)sh";

std::string completion_script(const std::string& shell, const std::string& commands) {
  const std::string place = "@COMMANDS@";
  std::string script = kBash;
  script.replace(script.find(place), place.size(), commands);
  return shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" + script : script;
}

class CompletionCommand final : public CliCommand {
 public:
  explicit CompletionCommand(const std::vector<std::string>& commands)
      : CliCommand("completion", "print the completion script of a shell",
                   "eval \"$(./convkit completion bash)\"") {
    for (const std::string& name : commands) commands_ += name + " ";
    commands_ += "test completion";  // `test` is the launcher's own
  }

  void declare(const Options& options) override {
    options.value("shell", shell_, "bash or zsh").required().one_of({"bash", "zsh"});
  }
  int run(Kit&) override {
    std::cout << completion_script(shell_, commands_);
    return 0;
  }

 private:
  std::string commands_, shell_;
};

}  // namespace

std::unique_ptr<CliCommand> completion_command(const std::vector<std::string>& commands) {
  return std::make_unique<CompletionCommand>(commands);
}

}  // namespace convkit

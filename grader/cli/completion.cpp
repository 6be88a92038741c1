// SPDX-License-Identifier: MIT
#include "cli/completion.h"

namespace convkit {
namespace {

// Options come from --help, so that this script cannot fall behind the commands.
constexpr const char* kBash = R"sh(_convkit() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "list start check run bench train predict submit grade refgen verify cc doctor demo test completion --help --version" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$("$program" "$command" --help 2>/dev/null | grep -o -- '--[a-z-]*' | sort -u)" -- "$word"))
  else
    case $command in
      start|check|run|bench|train|submit)
        COMPREPLY=($(compgen -W "$("$program" list 2>/dev/null | grep -o '[0-9][0-9]_[a-z0-9_]*')" -- "$word")) ;;
      *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
  fi
}
complete -F _convkit convkit ./convkit
)sh";

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "zsh") return std::string("autoload -U +X bashcompinit && bashcompinit\n") + kBash;
  return kBash;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The abilities of the terminal, and the line that shows what is running now.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "grade/progress.h"

namespace convkit {

// stdout is a terminal, NO_COLOR is not set and TERM is not "dumb".
bool use_colour();
bool is_terminal(int fd);

// The text with every "./convkit" as the user types it: the scripts that start an installed kit,
// which is found on PATH, say in CONVKIT_COMMAND how.
std::string as_typed(std::string text);

// Prints to stdout what names a command to type.
template <class... Arguments>
void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  const std::string said = fmt::format(text, std::forward<Arguments>(arguments)...);
  std::fputs(as_typed(said).c_str(), stdout);
}

// On a terminal: one line on stderr, overwritten in place. Elsewhere: nothing.
class StatusLine final : public Progress {
 public:
  StatusLine();
  ~StatusLine() override;
  void doing(const std::string& what) override;
  void finished(const StageResult& stage, const CaseResult& result) override;
  void clear();

 private:
  std::mutex mutex_;
  bool shown_ = false;
  bool terminal_;
};

}  // namespace convkit

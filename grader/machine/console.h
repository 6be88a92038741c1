// SPDX-License-Identifier: MIT
// The abilities of the terminal, and the line that shows what is running now.
#pragma once

#include <mutex>
#include <string>

#include "grade/progress.h"

namespace convkit {

// stdout is a terminal, NO_COLOR is not set and TERM is not "dumb".
bool use_colour();
bool is_terminal(int fd);

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

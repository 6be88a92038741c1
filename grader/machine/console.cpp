// SPDX-License-Identifier: MIT
#include "machine/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace convkit {

bool is_terminal(int fd) {
  return isatty(fd) == 1;
}

bool use_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return is_terminal(STDOUT_FILENO) && !(no_colour && *no_colour) &&
         !(term && std::strcmp(term, "dumb") == 0);
}

StatusLine::StatusLine() : terminal_(is_terminal(STDERR_FILENO)) {}
StatusLine::~StatusLine() {
  clear();
}

void StatusLine::doing(const std::string& what) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  winsize size{};
  ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
  const size_t width = size.ws_col > 4 ? size.ws_col - 1u : 79u;
  std::fprintf(stderr, "\r\x1b[K%.*s", static_cast<int>(width), what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void StatusLine::finished(const StageResult&, const CaseResult&) {}

void StatusLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace convkit

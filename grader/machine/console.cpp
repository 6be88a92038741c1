// SPDX-License-Identifier: MIT
#include "machine/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

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

std::string as_typed(std::string text) {
  constexpr std::string_view kCommand = "./convkit";
  const char* typed = std::getenv("CONVKIT_COMMAND");
  if (!typed || !*typed) return text;
  for (size_t at = 0; (at = text.find(kCommand, at)) != std::string::npos;) {
    const size_t end = at + kCommand.size();
    const bool part_of_path =
        (at > 0 && (text[at - 1] == '.' || text[at - 1] == '/')) || text[end] == '/';
    if (!part_of_path) text.replace(at, kCommand.size(), typed);
    at = part_of_path ? end : at + std::strlen(typed);
  }
  return text;
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

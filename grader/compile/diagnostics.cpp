// SPDX-License-Identifier: MIT
#include "compile/diagnostics.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

namespace convkit {
namespace {

// No std::regex here: the standard library's recurses once per character, and a mangled name of
// 100 KiB would overflow the stack.

// A sentence shows the beginning of a name that fills pages.
constexpr size_t kLongestName = 200;

std::optional<std::string_view> after(std::string_view line, std::string_view words) {
  const size_t at = line.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + words.size());
}

// The symbol at the beginning of `text`: quoted as `this', 'this' or ‘this’ by GNU ld, gold and
// clang, bare to the end of the line elsewhere.
std::string name_in(std::string_view text) {
  constexpr std::string_view kOpeningQuote = "\xe2\x80\x98", kClosingQuote = "\xe2\x80\x99";
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (text.starts_with('`') || text.starts_with('\'') || text.starts_with('"')) {
    text.remove_prefix(1);
    // The last one: operator names hold quotes themselves.
    text = text.substr(0, text.find_first_of("'\""));
  } else if (text.starts_with(kOpeningQuote)) {
    text.remove_prefix(kOpeningQuote.size());
    text = text.substr(0, text.find(kClosingQuote));
  }
  std::string name(text.substr(0, kLongestName));
  if (text.size() > kLongestName) name += "...";
  return name;
}

// "dense.cpp: lenet.cpp: twice(int)", as mold says it, without the files.
std::string_view without_files(std::string_view text) {
  const size_t at = text.rfind(": ");
  return at == std::string_view::npos ? text : text.substr(at + 2);
}

// GNU ld shows by the section that it is a variable. The student may want one for each file; nvcc
// does this by itself for device memory.
std::string defined_twice(const std::string& name, std::string_view line) {
  const bool variable = line.find(":(.bss") != std::string_view::npos ||
                        line.find(":(.data") != std::string_view::npos;
  return "`" + name + "` is defined twice" +
         (variable ? "; with `static` before it, each file has its own." : ".");
}

// A linker's complaint about one symbol. GNU ld, gold, lld and mold each have their wording.
std::optional<std::string> linker_error(std::string_view line) {
  for (const std::string_view words :
       {"undefined reference to ", "undefined symbol: ", "hidden symbol "}) {
    if (const auto rest = after(line, words)) {
      return "`" + name_in(*rest) + "` is used but not defined in any file.";
    }
  }
  if (const auto rest = after(line, "multiple definition of ")) {
    return defined_twice(name_in(*rest), line);
  }
  if (const auto rest = after(line, "duplicate symbol: ")) {
    return defined_twice(name_in(without_files(*rest)), line);
  }
  return std::nullopt;
}

bool is_path_character(char ch) {
  return std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '.' || ch == '/' || ch == '_' ||
         ch == '-' || ch == '+' || static_cast<unsigned char>(ch) >= 0x80;
}

}  // namespace

std::string first_error(const std::string& log) {
  std::istringstream lines(log);
  std::string line, first_line;
  while (std::getline(lines, line)) {
    if (first_line.empty()) first_line = line;
    const size_t at = line.find("error: ");
    // GNU ld does not mark its messages; a source line that the compiler quotes is indented.
    const bool quoted_source = line.starts_with(' ');
    if (!quoted_source) {
      if (auto sentence = linker_error(line)) return *sentence;
    }
    // The assembler speaks of lines of a temporary file.
    if (const auto rest = after(line, ": Error: "); rest && !quoted_source) {
      return "The assembler: " + std::string(*rest);
    }
    if (at == std::string::npos || quoted_source) continue;
    if (line.find("ld returned") != std::string::npos ||
        line.find("linker command failed") != std::string::npos) {
      continue;
    }
    if (line.substr(0, at).ends_with("internal compiler ")) return line;
    std::string where = line.substr(0, at);
    if (const size_t fatal = where.find("fatal "); fatal != std::string::npos) {
      where.erase(fatal, 6);
    }
    return where + line.substr(at + 7);
  }
  return first_line;
}

std::optional<BuildResult::Status> why_compiler_gave_up(const std::string& log) {
  using Status = BuildResult::Status;
  struct Words {
    std::string_view said;
    Status meant;
  };
  static constexpr std::array<Words, 7> kWords = {
      {{"out of memory allocating", Status::out_of_memory},
       {"virtual memory exhausted", Status::out_of_memory},
       {"LLVM ERROR: out of memory", Status::out_of_memory},
       {"Cannot allocate memory", Status::out_of_memory},
       {"File too large", Status::file_too_large},
       {"File size limit exceeded", Status::file_too_large},
       {"signal terminated program", Status::compiler_crashed}}};
  std::istringstream lines(log);
  std::string line;
  while (std::getline(lines, line)) {
    // Lines of the student's source are quoted with a margin; what they say proves nothing.
    if (line.starts_with(' ')) continue;
    for (const auto& [said, meant] : kWords) {
      if (line.find(said) != std::string::npos) return meant;
    }
  }
  return std::nullopt;
}

bool tells_of_a_kill(const std::string& log) {
  const auto is_driver = [](std::string_view name) {
    return name.find(':') == std::string_view::npos;  // a source's message has its line there
  };
  std::istringstream lines(log);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with(' ')) continue;
    while (line.ends_with(' ')) line.pop_back();
    const std::string_view text = line;
    for (const std::string_view words :
         {": fatal error: Killed signal terminated program ",
          ": internal compiler error: Killed signal terminated program "}) {
      const size_t at = text.find(words);
      if (at == std::string_view::npos || !is_driver(text.substr(0, at))) continue;
      // Where a file of this name is spoken of, a place in it follows.
      if (text.substr(at + words.size()).find_first_of(" :,") == std::string_view::npos) {
        return true;
      }
    }
    if (text.starts_with("collect2: ") && text.ends_with(" terminated with signal 9 [Killed]")) {
      return true;
    }
    if (text.starts_with("nvcc error ") && text.ends_with(" died due to signal 9 (Kill signal)")) {
      return true;
    }
    const size_t clang = text.find(": error: unable to execute command: Killed");
    if (clang != std::string_view::npos && is_driver(text.substr(0, clang))) return true;
  }
  return false;
}

std::string cut_log(std::string log, size_t bytes) {
  if (log.size() <= bytes) return log;
  const size_t line_end = log.rfind('\n', bytes);
  const size_t kept = line_end == std::string::npos ? bytes : line_end + 1;
  const size_t cut = log.size() - kept;
  log.resize(kept);
  if (!log.ends_with('\n')) log += '\n';
  return log + fmt::format("({} more bytes of messages are not shown.)\n", cut);
}

std::string without_prefix(const std::string& log, const std::string& prefix) {
  std::string result;
  result.reserve(log.size());
  size_t copied = 0;
  for (size_t at = log.find(prefix); at != std::string::npos; at = log.find(prefix, at + 1)) {
    const bool begins_a_path = at == 0 || !is_path_character(log[at - 1]);
    if (!begins_a_path || at < copied) continue;
    result.append(log, copied, at - copied);
    copied = at + prefix.size();
  }
  return result.append(log, copied, std::string::npos);
}

std::string with_renamed(const std::string& log, const std::string& name,
                         const std::string& replacement) {
  std::string result;
  size_t copied = 0;
  for (size_t at = log.find(name); at != std::string::npos; at = log.find(name, copied)) {
    result.append(log, copied, at - copied).append(replacement);
    copied = at + name.size();
  }
  return result.append(log, copied, std::string::npos);
}

}  // namespace convkit

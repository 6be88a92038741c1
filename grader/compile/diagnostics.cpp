// SPDX-License-Identifier: MIT
#include "compile/diagnostics.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string_view>

namespace convkit {
namespace {

// Errors of compilers that say little to a beginner, in the kit's own words.

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> several) {
  return std::ranges::any_of(several, [=](std::string_view words) { return has(text, words); });
}

// A pointer to const where the callee writes, as g++, clang and nvcc say it.
bool loses_const(std::string_view error) {
  if (has_any(error, {"invalid conversion from \xe2\x80\x98"
                      "const ",
                      "invalid conversion from 'const "})) {
    return has(error, "*");
  }
  if (has(error, "no matching function for call to")) return false;
  return has(error, "is incompatible with parameter of type") && has(error, "\"const ");
}

bool speaks_of_a_stream(std::string_view error) {
  return has_any(error, {"cudaStream_t", "CUstream_st"});
}

struct Known {
  bool (*is)(std::string_view error, std::string_view source);
  std::string_view words;
};

constexpr std::array<Known, 6> kKnown = {{
    {[](std::string_view error, std::string_view source) {
       return loses_const(error) && has_any(source, {"cudaMemcpy", "memcpy("});
     },
     "A copy takes the destination first, then the source: cudaMemcpy(to, from, bytes, kind)."},
    {[](std::string_view error, std::string_view) { return loses_const(error); },
     "A pointer to const memory, which is only read, is given where memory is written: are the "
     "arguments in the right order?"},
    {[](std::string_view error, std::string_view source) {
       return speaks_of_a_stream(error) && has(source, "<<<");
     },
     "The third number of a launch is the bytes of dynamic shared memory, the fourth is the "
     "stream: <<<grid, block, 0, stream>>>."},
    {[](std::string_view error, std::string_view) {
       return has(error, "operator^") ||
              (has(error, "invalid operands to binary expression") && has(error, "^"));
     },
     "In C++ ^ is the exclusive or of whole numbers: a square is x * x, a power powf(x, n)."},
    {[](std::string_view error, std::string_view) {
       return has_any(error, {"expected ';'", "expected \xe2\x80\x98;\xe2\x80\x99",
                              "expected \xe2\x80\x98,\xe2\x80\x99 or \xe2\x80\x98;\xe2\x80\x99",
                              "expected a \";\""});
     },
     "A semicolon is missing before this place, often at the end of the line above."},
    {[](std::string_view error, std::string_view source) {
       return has(source, "cudaMalloc") && has_any(error, {"convert", "no matching function"}) &&
              !has(source, "&");
     },
     "cudaMalloc writes the address into your pointer, so it takes the pointer's address: "
     "cudaMalloc(&d_x, bytes)."},
}};

// What to do about a compiler's error, as a sentence; "" where nothing is known. `error`: its words
// without their place. `source`: the line of the source that it quotes, "" where it quotes none.
std::string_view words_for_error(std::string_view error, std::string_view source) {
  const auto known =
      std::ranges::find_if(kKnown, [&](const Known& one) { return one.is(error, source); });
  return known == kKnown.end() ? std::string_view() : known->words;
}

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
    if (after(line, ": #include nested ")) {
      return where + "files include each other without end; begin each header with `#pragma once`.";
    }
    const std::string error = line.substr(at + 7);
    std::string source;  // "   17 |   CUDA_CHECK(...);"
    if (!std::getline(lines, source)) source.clear();
    const std::string_view words = words_for_error(error, source);
    return where + (words.empty() ? error : fmt::format("{} ({})", words, error));
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

namespace {

// "a.cpp:1:2", "a.cu(3)": a line of a file, as compilers write it.
bool has_place(std::string_view text) {
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    const bool begins = text[at] == ':' || text[at] == '(';
    if (begins && std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0) return true;
  }
  return false;
}

// An error with its place, or with the symbol that a linker misses.
bool is_named_error(const std::string& line) {
  const size_t at = line.find("rror: ");
  return (at != std::string::npos && has_place(line.substr(0, at))) || linker_error(line);
}

// "collect2: error: ...", "nvlink error   : ..."
bool speaks_of_an_error(const std::string& line) {
  const size_t at = line.find("rror");
  const size_t end = at == std::string::npos ? at : line.find_first_not_of(' ', at + 4);
  return end != std::string::npos && line[end] == ':';
}

// As shells, compilers' drivers and the C++ library say it.
bool tells_of_no_process(const std::string& line) {
  for (const std::string_view words : {"Cannot fork", "fork: ", "Couldn't fork", "posix_spawn",
                                       "Resource temporarily unavailable"}) {
    const size_t at = line.find(words);
    if (at != std::string::npos && !has_place(line.substr(0, at))) return true;
  }
  return false;
}

bool tells_of_a_kill(std::string_view text) {
  const auto is_driver = [](std::string_view name) {
    return name.find(':') == std::string_view::npos;  // a source's message has its line there
  };
  while (text.ends_with(' ')) text.remove_suffix(1);
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
  return clang != std::string_view::npos && is_driver(text.substr(0, clang));
}

}  // namespace

// A source can make the assembler print any line, but not fail without one of its own.
bool tells_of_a_kill(const std::string& log) {
  std::istringstream lines(log);
  std::string line, others;
  bool killed = false;
  while (std::getline(lines, line)) {
    if (line.starts_with(' ')) continue;
    if (is_named_error(line)) return false;
    const bool tells = tells_of_a_kill(std::string_view(line));
    killed = killed || tells;
    if (!tells) others += line + "\n";
  }
  return killed && !why_compiler_gave_up(others).has_value();
}

bool names_no_error(const std::string& log) {
  std::istringstream lines(log);
  std::string line;
  bool no_process = false, error = false;
  while (std::getline(lines, line)) {
    no_process = no_process || tells_of_no_process(line);
    if (line.starts_with(' ')) continue;
    if (is_named_error(line)) return false;
    error = error || speaks_of_an_error(line);
  }
  return no_process || !(error || why_compiler_gave_up(log).has_value());
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
    const bool begins_a_path = at == copied || !is_path_character(log[at - 1]);
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

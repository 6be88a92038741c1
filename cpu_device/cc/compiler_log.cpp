// SPDX-License-Identifier: MIT
#include "cpu_device/cc/compiler_log.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <sstream>
#include <string_view>

#include "cpu_device/rewrite/lexer.h"

namespace convkit {
namespace {

// Digits up to a colon; moves behind it. 0: there are none.
size_t take_number(std::string_view text, size_t& at) {
  size_t value = 0, i = at;
  while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0 && i - at < 9) {
    value = 10 * value + static_cast<size_t>(text[i++] - '0');
  }
  if (i == at || i == text.size() || text[i] != ':') return 0;
  at = i + 1;
  return value;
}

LogLine read_line(const std::string& raw) {
  LogLine line;
  line.text = raw;
  if (raw.empty() || raw[0] == ' ' || raw[0] == ':') return line;
  // The first ":12:3:"; names of files may hold colons, too.
  for (size_t colon = raw.find(':'); colon != std::string::npos; colon = raw.find(':', colon + 1)) {
    size_t at = colon + 1;
    const size_t number = take_number(raw, at);
    const size_t column = number > 0 ? take_number(raw, at) : 0;
    if (number == 0 || column == 0) continue;
    line.file = raw.substr(0, colon);
    line.line = number;
    line.column = column;
    line.text = raw.substr(at);
    break;
  }
  if (line.file.empty()) return line;
  static constexpr std::array<std::string_view, 4> kSeverities = {"error", "fatal error", "warning",
                                                                  "note"};
  for (const std::string_view severity : kSeverities) {
    const std::string prefix = " " + std::string(severity) + ": ";
    if (!std::string_view(line.text).starts_with(prefix)) continue;
    line.severity = severity;
    line.text.erase(0, prefix.size());
    break;
  }
  return line;
}

// "no type named ‘type’": an error by name, a part of the note before it by meaning.
bool explains_a_note(const LogLine& line, const std::vector<LogLine>& before) {
  return line.is_error() && !before.empty() && before.back().severity == "note" &&
         before.back().text.find("substitution failed") != std::string::npos;
}

}  // namespace

std::string LogLine::spelled() const {
  if (file.empty()) return text;
  std::string spelled = file + ":" + std::to_string(line) + ":" + std::to_string(column) + ":";
  if (!severity.empty()) spelled += " " + severity + ": ";
  return spelled + text;
}

std::vector<CompilerReport> read_compiler_log(const std::string& log) {
  std::vector<CompilerReport> reports;
  std::vector<LogLine> context;  // that belongs to what comes next
  std::istringstream lines(log);
  std::string raw;
  while (std::getline(lines, raw)) {
    LogLine line = read_line(raw);
    if (line.is_context()) {
      context.push_back(std::move(line));
      continue;
    }
    const bool belongs =
        !reports.empty() && (line.severity == "note" ||
                             (context.empty() && explains_a_note(line, reports.back().notes)));
    if (!belongs) {
      reports.push_back({std::move(context), std::move(line), {}});
      context.clear();
      continue;
    }
    std::vector<LogLine>& notes = reports.back().notes;
    notes.insert(notes.end(), context.begin(), context.end());
    context.clear();
    notes.push_back(std::move(line));
  }
  if (!context.empty()) reports.push_back({std::move(context), {}, {}});
  return reports;
}

namespace {

// Nobody reads more, and a file may be one line of megabytes with a message in each corner.
constexpr size_t kLongestLine = 2000;

std::string line_of(const std::string& text, size_t line) {
  size_t begin = 0;
  for (; line > 1 && begin != std::string::npos; --line) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos || begin >= text.size()) return {};
  std::string found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.pop_back();
  return found;
}

}  // namespace

std::string excerpt(const std::string& text, size_t line, size_t column, size_t length) {
  const std::string source = line_of(text, line);
  if (source.empty() || source.size() > kLongestLine) return {};
  const size_t at = column - 1;
  std::string marks;
  for (size_t i = 0; i < at && i < source.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(source[i]) & 0xc0) == 0x80;  // UTF-8
    if (!continues) marks += source[i] == '\t' ? '\t' : ' ';
  }
  marks += '^';
  for (size_t i = at + 1; i < source.size(); ++i) {
    const bool marked = length > 0 ? i < at + length
                                   : rewrite::is_name_character(source[at]) &&
                                         rewrite::is_name_character(source[i]);
    if (!marked) break;
    marks += '~';
  }
  return fmt::format("{:>5} | {}\n{:>5} | {}\n", line, source, "", marks);
}

}  // namespace convkit

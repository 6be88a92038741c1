// SPDX-License-Identifier: MIT
#include "cpu_device/cc/compiler_log.h"

#include <array>
#include <cctype>
#include <sstream>
#include <string_view>

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

}  // namespace convkit

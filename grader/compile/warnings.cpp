// SPDX-License-Identifier: MIT
#include "compile/warnings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace convkit {
namespace {

struct Kind {
  std::string_view name;
  enum { by_both, by_gcc, by_clang } known = by_both;
  bool in_all = false;  // -Wall has it, too
};
// What tells most comes first. (g++ says unused-but-set-variable, and means that of a variable.)
constexpr std::array<Kind, 8> kKinds = {{{"uninitialized", Kind::by_both, true},
                                         {"maybe-uninitialized", Kind::by_gcc, true},
                                         {"sometimes-uninitialized", Kind::by_clang, true},
                                         {"parentheses", Kind::by_both, true},
                                         {"sign-compare", Kind::by_both, true},
                                         {"unused-but-set-variable", Kind::by_both, true},
                                         {"unused-variable", Kind::by_both, true},
                                         {"unused-parameter", Kind::by_both, false}}};

size_t rank_of(std::string_view kind) {
  return static_cast<size_t>(std::ranges::find(kKinds, kind, &Kind::name) - kKinds.begin());
}

// "conv2d.cpp:12:7: warning: 'x' is used uninitialized [-Wuninitialized]"
std::optional<Warning> warning_in(const std::string& line) {
  constexpr std::string_view kWord = ": warning: ";
  const size_t word = line.find(kWord);
  const size_t open = line.rfind(" [-W");
  if (word == line.npos || open == line.npos || open < word || !line.ends_with(']')) {
    return std::nullopt;
  }
  Warning warning;
  const std::string place = line.substr(0, word);  // "conv2d.cpp:12:7"
  const size_t column = place.rfind(':');
  const size_t number =
      column == place.npos || column == 0 ? place.npos : place.rfind(':', column - 1);
  if (number == place.npos) return std::nullopt;
  warning.file = place.substr(0, number);
  warning.line = std::atoi(place.c_str() + number + 1);
  warning.kind = line.substr(open + 4, line.size() - open - 5);
  const size_t text = word + kWord.size();
  warning.text = line.substr(text, open - text);
  if (warning.line <= 0 || warning.file.find(' ') != warning.file.npos) return std::nullopt;
  return warning;
}

// Lines that belong to the message before them: quoted source, notes.
bool goes_on(const std::string& line) {
  return line.starts_with(' ') || line.find(": note: ") != line.npos;
}

// Lines that g++ says before a message, about where it is: "conv2d.cpp: In function 'void f()':".
bool leads_to_a_message(const std::string& line) {
  const auto has = [&](const char* words) { return line.find(words) != line.npos; };
  if (line.starts_with("In file included from ") || line.starts_with("                 from ")) {
    return true;
  }
  return has(":   required from ") || has(":   recursively required ") || has(": required by ") ||
         (line.ends_with(':') && (has(": In ") || has(": At ")));
}

}  // namespace

std::vector<std::string> telling_flags(bool clang) {
  std::vector<std::string> flags;
  for (const Kind& kind : kKinds) {
    if (kind.known == (clang ? Kind::by_gcc : Kind::by_clang)) continue;
    flags.push_back("-W" + std::string(kind.name));
  }
  return flags;
}

std::vector<Warning> telling_warnings(const std::string& log) {
  std::vector<Warning> warnings;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(' ')) continue;
    auto warning = warning_in(line);
    if (!warning || rank_of(warning->kind) == kKinds.size()) continue;
    const bool known = std::ranges::any_of(warnings, [&](const Warning& other) {
      return other.file == warning->file && other.line == warning->line &&
             other.text == warning->text;
    });
    if (!known) warnings.push_back(std::move(*warning));
  }
  std::ranges::stable_sort(warnings, {}, [](const Warning& w) { return rank_of(w.kind); });
  return warnings;
}

std::string without_unasked_warnings(const std::string& log,
                                     const std::vector<std::string>& flags) {
  const auto has = [&](const std::string& flag) {
    return std::ranges::find(flags, flag) != flags.end();
  };
  const auto is_asked = [&](const std::string& kind) {
    const size_t rank = rank_of(kind);
    if (rank == kKinds.size() || has("-W" + kind)) return true;
    return (kKinds[rank].in_all && has("-Wall") && !has("-Wno-" + kind));
  };
  std::istringstream lines(log);
  std::string kept, leading;
  bool leaving_out = false, is_leading = false, is_stale = false;
  for (std::string line; std::getline(lines, line);) {
    if (leads_to_a_message(line)) {  // told once a message of it is
      if (!is_leading) leading.clear();
      leading += line + "\n";
      is_leading = true;
      is_stale = false;
      leaving_out = false;
      continue;
    }
    if (leaving_out && goes_on(line)) continue;
    if (line.ends_with("generated.") && line.find("warning") != line.npos) continue;  // how many
    leaving_out = is_leading = false;
    const auto warning = line.starts_with(' ') ? std::nullopt : warning_in(line);
    if (warning && !is_asked(warning->kind)) {
      leaving_out = is_stale = true;
      continue;
    }
    // Those of a warning that was left out may hold for the next message of that file, too.
    const std::string file = line.substr(0, line.find(':') + 1);
    if (!is_stale || leading.find(file) != leading.npos) kept += leading;
    kept += line + "\n";
    leading.clear();
  }
  if (!log.ends_with('\n') && kept.ends_with('\n')) kept.pop_back();
  return kept;
}

}  // namespace convkit

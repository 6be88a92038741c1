// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "skeleton/skeleton.h"
#include "skeleton/spec_cases.h"
#include "skeleton/template_text.h"
#include "stage/wrong_variant.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

bool occurs_once(const std::string& text, const std::string& line) {
  const size_t at = text.find(line);
  return at != std::string::npos && text.find(line, at + 1) == std::string::npos;
}

// A statement that students write and that an edit can find: if there is one, an assignment, which
// can be left out without leaving out a declaration. "" if there is none.
std::string statement_of(const std::string& solution) {
  static const std::regex assignment(R"(((if|for) \(.*\) )?\*?[\w.>-]+(\[.*\])? [-+*/|&]?= .*;)");
  bool inside = solution.find("// BEGIN SOLUTION") == std::string::npos;
  std::istringstream in(solution);
  std::string line, other;
  while (std::getline(in, line)) {
    line = trimmed(line);
    if (line.starts_with("// BEGIN SOLUTION")) inside = true;
    if (line.starts_with("// END SOLUTION")) inside = false;
    if (!inside || line.starts_with("//") || !line.ends_with(';') || !occurs_once(solution, line)) {
      continue;
    }
    if (std::regex_match(line, assignment)) return line;
    if (other.empty()) other = line;
  }
  return other;
}

// An operation whose cases belong to the task that is written in `file`.
std::string operation_of(const Stage& stage, const std::string& file) {
  const auto task = std::ranges::find(stage.tasks, file, &Task::file);
  if (task != stage.tasks.end()) {
    const auto cases = read_spec_cases(stage.directory / "cases.toml");
    const auto found = std::ranges::find(cases, task->id, &SpecCase::task);
    if (found != cases.end()) return found->op;
  }
  return "TODO: the operation whose cases show it";
}

// As TOML has it, in quotes.
std::string toml_string(const std::string& line) {
  return line.find_first_of("\"\\") == std::string::npos ? "\"" + line + "\""
                                                         : "'''" + line + "'''";
}

}  // namespace

fs::path write_new_variant(const Kit& kit, const Stage& stage, const std::string& id,
                           const std::string& wanted_file) {
  if (!is_plain_name(id)) {
    throw UsageError(fmt::format(
        "`{}` is no name of a variant: it may hold a-z, 0-9 and _, and starts with a letter.", id));
  }
  const fs::path wrong = stage.directory / "wrong";
  if (wrong_variant_ids(wrong).contains(id)) {
    throw UsageError(fmt::format("{} has a wrong variant {} already.", stage.id, id));
  }
  const fs::path solution = kit.solution(stage);
  const std::string file = !wanted_file.empty()  ? wanted_file
                           : stage.tasks.empty() ? stage.files.front()
                                                 : stage.tasks.front().file;
  if (!fs::is_regular_file(solution / file)) {
    throw UsageError(fmt::format("{} has no file {}.", solution.string(), file));
  }
  const std::string line = statement_of(kit_file_text(solution / file));
  if (line.empty()) {
    throw UsageError(
        fmt::format("{} has no statement that an edit could find.", (solution / file).string()));
  }
  const fs::path target = wrong / fs::path(file).stem().concat(".toml");
  std::string text = fs::exists(target) ? kit_file_text(target) + "\n" : "";
  text += filled_in(kit_file_text(template_folder(kit) / "variant.toml"),
                    {{"NAME", id},
                     {"OP", operation_of(stage, file)},
                     {"FILE", file},
                     {"LINE", toml_string(line)}});
  fs::create_directories(wrong);
  write_whole(target, text);
  return target;
}

}  // namespace convkit

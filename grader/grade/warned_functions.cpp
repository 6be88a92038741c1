// SPDX-License-Identifier: MIT
#include "grade/warned_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>

#include "compile/function_text.h"
#include "compile/object_key.h"
#include "convkit/file_text.h"

namespace convkit {
namespace {

constexpr size_t kMostWarnings = 2;  // of one function; more is not read

struct FunctionOfFile : FunctionText {
  std::string file;
};

// Those with a warning are found by it; the others only lead there.
std::vector<FunctionOfFile> functions_of(const std::filesystem::path& folder,
                                         const std::vector<std::string>& files) {
  std::vector<FunctionOfFile> functions;
  for (const std::string& file : files) {
    const std::string extension = std::filesystem::path(file).extension().string();
    const bool is_header = extension == ".h" || extension == ".hpp" || extension == ".cuh";
    if (!is_source(file) && !is_header) continue;
    for (FunctionText& function : functions_in(file_text(folder / file))) {
      functions.push_back({std::move(function), file});
    }
  }
  return functions;
}

// The functions of this name, and those that they may call.
std::set<const FunctionOfFile*> reached_from(const std::string& op,
                                             const std::vector<FunctionOfFile>& functions) {
  std::set<const FunctionOfFile*> reached;
  std::deque<std::string> names = {op};
  for (; !names.empty(); names.pop_front()) {
    for (const FunctionOfFile& function : functions) {
      if (function.name != names.front() || !reached.insert(&function).second) continue;
      names.insert(names.end(), function.words.begin(), function.words.end());
    }
  }
  return reached;
}

bool lies_in(const Warning& warning, const FunctionOfFile& function) {
  return warning.file == function.file && function.first <= warning.line &&
         warning.line <= function.last;
}

// Of a parameter that nothing uses, and a launch in the same function whose threads went too far:
// they may be counted by it.
std::string about_launch(const Warning& warning, const FunctionOfFile& function,
                         const CaseResult& c) {
  if (!c.by_device || !warning.text.starts_with("unused parameter")) return "";
  const std::string launched = " launched at " + function.file + ":";
  const size_t at = c.message.find(launched);
  if (at == std::string::npos) return "";
  const int line = std::atoi(c.message.c_str() + at + launched.size());
  if (line < function.first || line > function.last) return "";
  return fmt::format(
      ". The launch in line {} leaves it out, too: count its grid by it, if its threads go too "
      "far.",
      line);
}

}  // namespace

void add_warnings(const std::vector<Warning>& warnings, const std::filesystem::path& folder,
                  const std::vector<std::string>& files, std::span<CaseResult> cases) {
  const auto fails = [](const CaseResult& c) { return has_failed(c.status) && !c.hidden; };
  if (warnings.empty() || std::ranges::none_of(cases, fails)) return;
  const std::vector<FunctionOfFile> functions = functions_of(folder, files);
  std::set<std::string> told;
  for (CaseResult& c : cases) {
    if (!fails(c) || !told.insert(c.op).second) continue;
    const auto reached = reached_from(c.op, functions);
    for (const Warning& warning : warnings) {
      if (c.warnings.size() == kMostWarnings) break;
      const auto function = std::ranges::find_if(
          reached, [&](const FunctionOfFile* one) { return lies_in(warning, *one); });
      if (function == reached.end()) continue;
      c.warnings.push_back(fmt::format("{}:{}: {}{}", warning.file, warning.line, warning.text,
                                       about_launch(warning, **function, c)));
    }
  }
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "grade/warned_functions.h"

#include <fmt/format.h>

#include <algorithm>
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
      const bool is_its_own = std::ranges::any_of(
          reached, [&](const FunctionOfFile* function) { return lies_in(warning, *function); });
      if (!is_its_own) continue;
      c.warnings.push_back(fmt::format("{}:{}: {}", warning.file, warning.line, warning.text));
    }
  }
}

}  // namespace convkit

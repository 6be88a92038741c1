// SPDX-License-Identifier: MIT
#include "grade/partial_build.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "compile/function_text.h"
#include "compile/missing_functions.h"
#include "compile/object_key.h"
#include "convkit/file_text.h"
#include "grade/stage_build.h"

namespace convkit {

namespace fs = std::filesystem;

std::vector<PartialBuild::Text> PartialBuild::sources_in(const fs::path& folder) {
  std::vector<Text> texts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (is_source(file)) texts.push_back({file, file_text(entry.path())});
  }
  return texts;
}

PartialBuild::PartialBuild(const BuildResult& built, const fs::path& folder,
                           const fs::path& starter)
    : failed_(built.failed) {
  if (failed_.empty() && built.missing.empty()) return;
  for (const FailedSource& failed : failed_) {
    texts_.push_back({failed.file, file_text(folder / failed.file)});
  }
  starter_ = sources_in(starter);
  for (const std::string& symbol : built.missing) {
    const std::string function = demangled(symbol);
    missing_.push_back(explain(function));
    nowhere_.push_back(files_of(function).empty());
  }
}

std::vector<const FailedSource*> PartialBuild::files_of(const std::string& function) const {
  const std::string name = bare_name(function);
  const auto those = [&](const auto& wanted) {
    std::vector<const FailedSource*> files;
    for (size_t i = 0; i < failed_.size(); ++i) {
      if (wanted(texts_[i])) files.push_back(&failed_[i]);
    }
    return files;
  };
  auto files = those([&](const Text& text) { return defines_function(text.text, name); });
  if (!files.empty()) return files;
  // What is broken may be the line that defines it.
  const auto asked_for = std::ranges::find_if(
      starter_, [&](const Text& text) { return defines_function(text.text, name); });
  if (asked_for != starter_.end()) {
    return those([&](const Text& text) { return text.file == asked_for->file; });
  }
  files = those([&](const Text& text) { return text.text.find(name) != std::string::npos; });
  // A macro or a header may make it.
  return files.empty() ? those([](const Text&) { return true; }) : files;
}

Verdict PartialBuild::explain(const std::string& function) const {
  const auto files = files_of(function);
  if (files.empty()) {
    return {Status::build_failed,
            fmt::format("`{}` is used but not defined in any file.", function), ""};
  }
  const FailedSource& first = *files.front();
  if (files.size() == 1) {
    return {status_of(first.status),
            first.left_out ? first.message
                           : fmt::format("`{}` is in `{}`, which does not compile: {}", function,
                                         first.file, first.message),
            ""};
  }
  std::vector<std::string> names;
  for (const FailedSource* file : files) names.push_back("`" + file->file + "`");
  return {status_of(first.status),
          fmt::format("`{}` is in no file that compiles. {} do not compile: {}", function,
                      fmt::join(names, " and "), first.message),
          ""};
}

std::optional<Verdict> PartialBuild::verdict_of(const Answer& answer) const {
  if (answer.kind == Answer::Kind::missing_entry && !files_of(answer.text).empty()) {
    return explain(answer.text);
  }
  const bool aborted = answer.kind == Answer::Kind::ended &&
                       answer.ending.kind == Ending::Kind::signalled &&
                       answer.ending.signal == SIGABRT;
  const auto stub = aborted ? reached_stub(answer.text) : std::nullopt;
  if (!stub || *stub >= missing_.size()) return std::nullopt;
  return missing_[*stub];
}

std::string PartialBuild::to_mend() const {
  std::string text;
  for (const FailedSource& failed : failed_) {
    text += failed.message;
    // The error may be in a header.
    if (failed.message.find(failed.file) == std::string::npos) {
      text += fmt::format(" (in `{}`)", failed.file);
    }
    text += "\n";
  }
  for (size_t i = 0; i < missing_.size(); ++i) {
    if (nowhere_[i]) text += missing_[i].message + "\n";
  }
  return text;
}

}  // namespace convkit

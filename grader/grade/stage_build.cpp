// SPDX-License-Identifier: MIT
#include "grade/stage_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/object_key.h"

namespace convkit {

Status status_of(BuildResult::Status status) {
  switch (status) {
    case BuildResult::Status::ok:
      return Status::pass;
    case BuildResult::Status::timed_out:
      return Status::timed_out;
    case BuildResult::Status::limit:
      return Status::limit;
    case BuildResult::Status::policy:
      return Status::policy;
    case BuildResult::Status::no_compiler:
      return Status::grader_error;
    case BuildResult::Status::interrupted:
      return Status::skipped;
    case BuildResult::Status::failed:
      break;
  }
  return Status::build_failed;
}

BuildResult build_or_explain(Builder& builder, const BuildRequest& request, ThreadPool& pool,
                             const std::function<void(const std::string&)>& progress) try {
  return builder.build(request, pool, progress);
} catch (const std::exception& error) {
  BuildResult result;
  result.status = BuildResult::Status::no_compiler;
  result.message = error.what();
  return result;
}

BuildResult build_baseline(const Kit& kit, const Stage& stage, Builder& builder, ThreadPool& pool) {
  const std::filesystem::path folder = stage.directory / "baseline";
  return build_or_explain(builder, kit.build_request(stage, folder, list_files(folder)), pool);
}

std::string cause_of_duplicate(const BuildResult& built, const Stage& stage,
                               const std::vector<std::string>& files) {
  if (!built.message.ends_with("is defined twice.")) return "";
  for (const std::string& file : files) {
    const bool wanted =
        std::find(stage.files.begin(), stage.files.end(), file) != stage.files.end();
    if (wanted || !is_source(file) || built.log.find(file) == std::string::npos) continue;
    return fmt::format(" `{}` is not one of the stage's files: if it is a copy, remove it.", file);
  }
  return "";
}

}  // namespace convkit

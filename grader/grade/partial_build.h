// SPDX-License-Identifier: MIT
// A submission of which only a part is in its library: which file a missing function is in, and the
// words for a case that needs it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/builder.h"
#include "grade/verdict.h"
#include "session/session.h"

namespace convkit {

class PartialBuild {
 public:
  PartialBuild() = default;  // nothing is missing
  // `folder` holds the sources; `starter` tells of a stage's own functions which file they belong
  // in. A file that cannot be read says nothing.
  PartialBuild(const BuildResult& built, const std::filesystem::path& folder,
               const std::filesystem::path& starter);

  // If the run ended for want of a function whose file did not compile, or in the stub of any
  // function: BUILD_FAILED (or how its compiler ended) with the compiler's words. Which stub it was
  // is the submission's word; whether it can have been one is the build's.
  std::optional<Verdict> verdict_of(const Answer& answer) const;

  // What the student has to mend: the first error of each file that failed, and each function that
  // is called and defined nowhere; one sentence a line, each ended by a line feed.
  std::string to_mend() const;

 private:
  Verdict explain(const std::string& function) const;
  std::vector<const FailedSource*> files_of(const std::string& function) const;

  struct Text {
    std::string file, text;
  };
  static std::vector<Text> sources_in(const std::filesystem::path& folder);

  std::vector<FailedSource> failed_;
  std::vector<Text> texts_;  // of the files that failed
  std::vector<Text> starter_;
  std::vector<Verdict> missing_;  // one for each stub
  std::vector<bool> nowhere_;     // its function is in no file that failed
};

}  // namespace convkit

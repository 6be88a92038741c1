// SPDX-License-Identifier: MIT
// What a grading reports before it has ended.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>

#include "report/result.h"

namespace convkit {

// Told what happens while a submission is graded; called from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void doing(const std::string& what) { (void)what; }
  virtual void finished(const StageResult& stage, const CaseResult& result) {
    (void)stage;
    (void)result;
  }
};

// The result on disk: valid from the first second, replaced as a whole.
class ResultFile {
 public:
  // Empty path: nothing is written.
  explicit ResultFile(std::filesystem::path file);

  // Writes if the last write is some time ago, or if `now`. Throws std::runtime_error naming the
  // file. `synced`: on the disk when it returns. Thread-safe.
  void write(const Result& result, bool now, bool synced = false);

 private:
  std::filesystem::path file_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The result on disk: valid from the first second, replaced as a whole.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>

#include "report/result.h"

namespace convkit {

class ResultFile {
 public:
  // Empty path: nothing is written.
  explicit ResultFile(std::filesystem::path file);

  // Writes if the last write is some time ago, or if `now`. Throws std::runtime_error naming the
  // file. Thread-safe.
  void write(const Result& result, bool now);

 private:
  std::filesystem::path file_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace convkit

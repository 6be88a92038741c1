// SPDX-License-Identifier: MIT
#include "grade/progress.h"

#include "convkit/atomic_file.h"

namespace convkit {

ResultFile::ResultFile(std::filesystem::path file) : file_(std::move(file)) {}

void ResultFile::write(const Result& result, bool now, bool synced) {
  if (file_.empty()) return;
  const std::lock_guard lock(mutex_);
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - written_ < std::chrono::milliseconds(250)) return;
  written_ = time;
  const std::string text = to_json(result);
  AtomicFile out(file_);
  out.append(std::as_bytes(std::span(text.data(), text.size())));
  if (synced) out.sync();
  out.commit();
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "work/watch.h"

#include <chrono>
#include <thread>

#include "process/process.h"
#include "work/editor_files.h"

namespace convkit {

namespace fs = std::filesystem;

SaveWatch::SaveWatch(fs::path folder) : folder_(std::move(folder)), seen_(snapshot()) {}

// Polling beats inotify here: it works on every file system (network folders, WSL's Windows
// drives), and a stage has a handful of files.
SaveWatch::Snapshot SaveWatch::snapshot() const {
  Snapshot times;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder_, error)) {
    if (!entry.is_regular_file(error)) continue;
    // clangd writes its index while somebody edits.
    if (is_editor_file(entry.path().lexically_relative(folder_).generic_string())) continue;
    times[entry.path().string()] = entry.last_write_time(error);
  }
  return times;
}

bool SaveWatch::wait() {
  constexpr auto kPause = std::chrono::milliseconds(150);
  Snapshot last = snapshot();
  while (!interrupted()) {
    std::this_thread::sleep_for(kPause);
    Snapshot now = snapshot();
    if (now == last && now != seen_) {
      saved_.clear();
      for (const auto& [file, time] : now) {
        const auto before = seen_.find(file);
        if (before != seen_.end() && before->second == time) continue;
        saved_.insert(fs::path(file).lexically_relative(folder_).generic_string());
      }
      seen_ = std::move(now);
      return true;
    }
    last = std::move(now);
  }
  return false;
}

}  // namespace convkit

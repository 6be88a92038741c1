// SPDX-License-Identifier: MIT
#include "cli/watch.h"

#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using Snapshot = std::map<std::string, fs::file_time_type>;

// Polling beats inotify here: it works on every file system (network folders, WSL's Windows
// drives), and a stage has a handful of files.
Snapshot snapshot(const fs::path& folder) {
  Snapshot times;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) times[entry.path().string()] = entry.last_write_time(error);
  }
  return times;
}

}  // namespace

bool wait_for_save(const fs::path& folder) {
  constexpr auto kPause = std::chrono::milliseconds(150);
  const Snapshot before = snapshot(folder);
  Snapshot last = before;
  while (!interrupted()) {
    std::this_thread::sleep_for(kPause);
    const Snapshot now = snapshot(folder);
    if (now == last && now != before) return true;
    last = now;
  }
  return false;
}

}  // namespace convkit

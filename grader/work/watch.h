// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace convkit {

// Notices saved files below a folder, also those that were saved while nobody waited.
class SaveWatch {
 public:
  explicit SaveWatch(std::filesystem::path folder);

  // Waits until a file has been saved since the last wait (the first: since the construction) and
  // nothing has changed for a moment, as editors write in several steps. False: the user pressed
  // Ctrl-C.
  bool wait();
  // The files that the last wait() saw saved, relative to the folder.
  const std::set<std::string>& saved() const { return saved_; }

 private:
  using Snapshot = std::map<std::string, std::filesystem::file_time_type>;
  Snapshot snapshot() const;

  std::filesystem::path folder_;
  Snapshot seen_;
  std::set<std::string> saved_;
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace convkit {

// A private folder under the system's folder for temporary files, or `base`, removed with
// everything in it. Its process holds a lock on it: what a process that was killed left behind has
// none.
class TemporaryFolder {
 public:
  // `purpose` becomes part of the name: convkit-<purpose>.XXXXXX. The first one of a process
  // sweeps. Throws std::runtime_error with one sentence naming the folder.
  explicit TemporaryFolder(const std::string& purpose);
  TemporaryFolder(const std::string& purpose, const std::filesystem::path& base);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // the open folder, closed on exec
};

// Removes this user's folders of that form, in the system's folder for temporary files, which no
// living process holds, and returns how many there were.
size_t sweep_temporary_folders();

// Copies what is in `from` into `to`, which is made. Unlike the standard library's copy, it leaves
// files and folders that can be written to where those of `from` cannot, as in an installed kit.
void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace convkit

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace convkit {

// A private folder under the system's folder for temporary files, removed with everything in it.
class TemporaryFolder {
 public:
  // `purpose` becomes part of the name: convkit-<purpose>-XXXXXX. Throws std::runtime_error with
  // one sentence naming the folder.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Copies what is in `from` into `to`, which is made. Unlike the standard library's copy, it leaves
// files and folders that can be written to where those of `from` cannot, as in an installed kit.
void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace convkit

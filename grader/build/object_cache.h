// SPDX-License-Identifier: MIT
// Compiled files by the sha256 of everything that went into them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace convkit {

class ObjectCache {
 public:
  // $CONVKIT_CACHE, else $XDG_CACHE_HOME/convkit, else ~/.cache/convkit, else
  // <temporary>/convkit-<uid>.
  static std::filesystem::path default_folder();

  // Creates the folder (readable by this user only). Throws std::runtime_error naming it.
  explicit ObjectCache(std::filesystem::path folder);

  // The cached file and the compiler's messages that came with it (warnings), if there is one.
  struct Entry {
    std::filesystem::path file;
    std::string messages;
  };
  std::optional<Entry> find(const std::string& key, const std::string& extension) const;

  // Copies a finished file in. Two graders may race: the first one's file stays, and is the entry
  // of both.
  Entry store(const std::string& key, const std::string& extension,
              const std::filesystem::path& file, const std::string& messages);

  // Removes the least recently used entries until at most `bytes` are left. What was used within
  // the last hour stays: another grader may be about to link or load it.
  void trim(uint64_t bytes) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace convkit

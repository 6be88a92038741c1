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
  const std::filesystem::path& folder() const { return folder_; }

  // The cached file and the compiler's messages that came with it (warnings), if there is one.
  struct Entry {
    std::filesystem::path file;
    std::string messages;
  };
  // A file that is not what was stored, after a disk's fault or a power cut, is none, and gives way
  // to the next one that is stored.
  std::optional<Entry> find(const std::string& key, const std::string& extension) const;

  // Copies a finished file in, under a key of all that it was made from. Two graders may race: the
  // first one's file stays, and is the entry of both. (Another one may be about to link it in a
  // sandbox that was told of that file, and would not be let at one in its place.)
  Entry store(const std::string& key, const std::string& extension,
              const std::filesystem::path& file, const std::string& messages);
  // The same for a key that does not say everything: what was there goes.
  std::filesystem::path replace(const std::string& key, const std::string& extension,
                                const std::filesystem::path& file);

  // Removes the least recently used entries until at most `bytes` are left. Entries that were used
  // within the last hour stay: another grader may be about to link or load them.
  void trim(uint64_t bytes) const;

 private:
  std::filesystem::path put(const std::string& name, const std::filesystem::path& file, bool over);

  std::filesystem::path folder_;
};

}  // namespace convkit

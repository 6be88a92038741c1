// SPDX-License-Identifier: MIT
// The private folder a submission is laid into. Every file of a submission, wherever it comes from,
// passes through put(): the one place that writes, and that enforces limits and unique names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "submission/intake.h"
#include "submission/notes.h"

namespace convkit {

// Fills the buffer from its front and returns how many bytes it wrote; 0 at the end of the file.
using ByteSource = std::function<size_t(std::span<char>)>;

class Destination {
 public:
  // `submission` is the name used in sentences. Throws IntakeError unless `into` is an empty
  // folder.
  Destination(std::filesystem::path into, std::string submission, const IntakeLimits& limits);

  // Writes one regular file at `path`, which went through clean_path(). `announced_bytes` is what
  // the archive or file system says of its size: a lie in it is caught, the truth saves the work.
  // `modified`: as in SubmittedFile.
  void put(const std::string& path, std::optional<uint64_t> announced_bytes, int64_t modified,
           const ByteSource& source);

  // Removes the file of this path, which put() has written. Its bytes stay counted.
  void take_out(const std::string& path);

  // Removes everything below the folder.
  void clear() noexcept;

  // The files put so far, sorted by path.
  std::vector<SubmittedFile> files() const;

  Notes& notes() { return notes_; }
  const std::string& submission() const { return submission_; }
  const std::filesystem::path& folder() const { return into_; }

 private:
  void check_depth(const std::string& path) const;
  void claim_name(const std::string& path);
  void check_room(const std::string& path, uint64_t bytes) const;
  uint64_t write(const std::string& path, const ByteSource& source);

  std::filesystem::path into_;
  std::string submission_;  // ready for messages
  IntakeLimits limits_;
  Notes notes_;
  uint64_t total_bytes_ = 0;
  std::map<std::string, SubmittedFile> by_folded_path_;
  std::map<std::string, std::string> folders_;  // folded -> as first seen
};

}  // namespace convkit

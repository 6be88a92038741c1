// SPDX-License-Identifier: MIT
// A file that appears complete or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace convkit {

// Writes to a hidden temporary file in the target's folder; commit() renames it over the target.
// Without commit() the temporary file is removed and the target stays as it was. Every function
// throws std::runtime_error with one sentence naming the target.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void append(std::span<const std::byte> bytes);
  // Overwrites bytes that were appended before.
  void overwrite(uint64_t offset, std::span<const std::byte> bytes);
  uint64_t size() const { return size_; }
  // Waits until the bytes are on the disk; a power cut after commit() then finds them.
  void sync();
  void commit();

 private:
  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

// Replaces the target by a file that holds this text.
void write_whole(const std::filesystem::path& target, std::string_view text);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Bytes that can be read at any offset: a file or memory. Files are read in pieces and not mapped:
// a file that another process truncates is an error here and not a SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convkit/kit_error.h"

namespace convkit {

class ByteSource {
 public:
  explicit ByteSource(std::string subject) : subject_(std::move(subject)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // The beginning of error sentences: the file's name in quotes.
  const std::string& subject() const { return subject_; }
  uint64_t size() const { return size_; }
  // Fills `into` with the bytes from `offset`; the range lies within size(). Throws FormatError.
  virtual void read(uint64_t offset, std::span<std::byte> into) const = 0;

 protected:
  uint64_t size_ = 0;

 private:
  std::string subject_;
};

// `count` bytes from `offset`; for the small records of a file, never for its data.
inline std::vector<std::byte> read_bytes(const ByteSource& source, uint64_t offset, size_t count) {
  std::vector<std::byte> bytes(count);
  source.read(offset, bytes);
  return bytes;
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& file);  // a regular file, else FormatError
  ~FileSource() override;
  void read(uint64_t offset, std::span<std::byte> into) const override;

 private:
  int fd_ = -1;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::span<const std::byte> memory, const std::string& name);
  void read(uint64_t offset, std::span<std::byte> into) const override;

 private:
  std::span<const std::byte> memory_;
};

}  // namespace convkit

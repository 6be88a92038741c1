// SPDX-License-Identifier: MIT
#include "convkit/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>

namespace convkit {
namespace {

// Unique among the processes and threads of this machine, and short, so that a target with the
// longest name a file may have can still be written.
std::string temporary_name() {
  static std::atomic<unsigned> counter{0};
  return ".convkit." + std::to_string(::getpid()) + "." + std::to_string(counter++) + ".tmp";
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target)
    : target_(std::move(target)), temporary_(target_.parent_path() / temporary_name()) {
  // A file that a killed process of the same number left is no longer in use.
  ::unlink(temporary_.c_str());
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) const {
  throw std::runtime_error("'" + target_.string() +
                           "' cannot be written: " + std::generic_category().message(error) + ".");
}

void AtomicFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(errno);
    offset += static_cast<uint64_t>(wrote);
    bytes = bytes.subspan(static_cast<size_t>(wrote));
  }
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  write_at(size_, bytes);
  size_ += bytes.size();
}

void AtomicFile::overwrite(uint64_t offset, std::span<const std::byte> bytes) {
  if (offset > size_ || bytes.size() > size_ - offset) {
    throw std::invalid_argument("Bytes past the end of '" + target_.string() +
                                "' were to be overwritten.");
  }
  write_at(offset, bytes);
}

void AtomicFile::sync() {
  if (::fsync(fd_) != 0) fail(errno);
}

void AtomicFile::commit() {
  // Network file systems and quotas report a full disk when the file is closed.
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) fail(errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void write_whole(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.append(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace convkit

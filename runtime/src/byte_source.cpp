// SPDX-License-Identifier: MIT
#include "byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>

namespace convkit {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

}  // namespace

FileSource::FileSource(const std::filesystem::path& file)
    : ByteSource(std::string("'") + file.string() + "'") {
  // O_NONBLOCK: opening a named pipe must not wait for somebody to write to it.
  fd_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) throw FormatError(subject() + " cannot be opened: " + reason(errno) + ".");
  struct stat status {};
  const bool known = ::fstat(fd_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(fd_);
    throw FormatError(subject() + " is not a regular file.");
  }
  size_ = static_cast<uint64_t>(status.st_size);
}

FileSource::~FileSource() {
  ::close(fd_);
}

void FileSource::read(uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(fd_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FormatError(subject() + " cannot be read: " + reason(errno) + ".");
    if (got == 0) throw FormatError(subject() + " became shorter while it was read.");
    offset += static_cast<uint64_t>(got);
    into = into.subspan(static_cast<size_t>(got));
  }
}

MemorySource::MemorySource(std::span<const std::byte> memory, const std::string& name)
    : ByteSource(std::string("'") + name + "'"), memory_(memory) {
  size_ = memory.size();
}

void MemorySource::read(uint64_t offset, std::span<std::byte> into) const {
  assert(offset <= size() && into.size() <= size() - offset);
  const auto from = memory_.subspan(static_cast<size_t>(offset), into.size());
  std::copy(from.begin(), from.end(), into.begin());
}

}  // namespace convkit

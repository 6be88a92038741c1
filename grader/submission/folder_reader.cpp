// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "submission/entry_path.h"
#include "submission/readers.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_read(const Destination& destination, std::string_view path, int error) {
  throw SubmissionError(fmt::format("`{}` in `{}` cannot be read: {}.", shown(path),
                                    destination.submission(),
                                    std::generic_category().message(error)));
}

// A regular file, open for reading. Since the folder was listed, the file may have become a link or
// a pipe; links are not followed and pipes are not waited for.
class OldFile {
 public:
  OldFile(const fs::path& path, const std::string& name, const Destination& destination)
      : fd_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
        name_(name),
        destination_(destination) {
    if (fd_ < 0) cannot_read(destination_, name_, errno);
  }
  OldFile(const OldFile&) = delete;
  OldFile& operator=(const OldFile&) = delete;
  ~OldFile() { ::close(fd_); }

  uint64_t bytes() const { return static_cast<uint64_t>(status().st_size); }
  int64_t modified() const { return status().st_mtime; }

  size_t read(std::span<char> buffer) const {
    for (;;) {
      const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) cannot_read(destination_, name_, errno);
    }
  }

 private:
  struct stat status() const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) cannot_read(destination_, name_, errno);
    if (!S_ISREG(status.st_mode)) cannot_read(destination_, name_, EINVAL);
    return status;
  }

  int fd_;
  const std::string& name_;
  const Destination& destination_;
};

std::string_view odd_type(fs::file_type type) {
  switch (type) {
    case fs::file_type::symlink:
      return "link";
    case fs::file_type::fifo:
      return "named pipe";
    case fs::file_type::socket:
      return "socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "device";
    default:
      return "special file";
  }
}

class FolderWalk {
 public:
  FolderWalk(const fs::path& folder, Destination& destination)
      : top_(folder), destination_(destination) {}

  // Everything below the folder `relative` ("" or ending in '/'), in the order of names.
  void walk(const std::string& relative) {
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(top_ / relative, error), end; !error && entry != end;
         entry.increment(error)) {
      names.push_back(entry->path().filename().string());
    }
    if (error) cannot_read(destination_, relative.empty() ? "." : relative, error.value());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) visit(relative + name);
  }

 private:
  void visit(const std::string& relative) {
    const fs::path source = top_ / relative;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(source, error).type();
    if (error) cannot_read(destination_, relative, error.value());
    const bool is_folder = type == fs::file_type::directory;

    const EntryPath clean = clean_path(relative, destination_.submission());
    if (const auto part = left_out(clean.path, is_folder)) {
      destination_.notes().add(Remark::kLeftOut, *part);
    } else if (is_folder) {
      // A working folder inside the submission would otherwise copy itself into itself.
      if (!fs::equivalent(source, destination_.folder(), error)) walk(relative + '/');
    } else if (type != fs::file_type::regular) {
      refuse_entry(destination_, odd_type(type), clean.path);
    } else {
      if (clean.replaced) destination_.notes().add(Remark::kRenamed, clean.path);
      if (clean.backslashes) destination_.notes().add(Remark::kBackslashes, clean.path);
      put(source, clean.path);
    }
  }

  void put(const fs::path& source, const std::string& path) {
    const OldFile file(source, path, destination_);
    destination_.put(path, file.bytes(), file.modified(),
                     [&](std::span<char> buffer) { return file.read(buffer); });
  }

  fs::path top_;
  Destination& destination_;
};

}  // namespace

void refuse_entry(const Destination& destination, std::string_view what, std::string_view path) {
  const bool link = what.ends_with("link");
  throw SubmissionError(fmt::format("`{}` contains the {} `{}`; {}.", destination.submission(),
                                    what, shown(path),
                                    link ? "links are not accepted: replace it with the file itself"
                                         : "only files and folders are accepted: leave it out"));
}

void read_folder(const fs::path& folder, Destination& destination) {
  FolderWalk(folder, destination).walk("");
}

void read_single_file(const fs::path& file, Destination& destination) {
  const EntryPath clean = clean_path(file.filename().string(), destination.submission());
  // Only what was named by the caller may be reached through a link.
  const OldFile source(fs::canonical(file), clean.path, destination);
  destination.notes().add(Remark::kOnlyAFile, clean.path);
  destination.put(clean.path, source.bytes(), source.modified(),
                  [&](std::span<char> buffer) { return source.read(buffer); });
}

}  // namespace convkit

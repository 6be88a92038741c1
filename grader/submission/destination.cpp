// SPDX-License-Identifier: MIT
#include "submission/destination.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "submission/entry_path.h"
#include "submission/file_kind.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

std::string size_text(uint64_t bytes) {
  if (bytes >= 1u << 20 && bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

[[noreturn]] void cannot_write(const fs::path& path, int error) {
  throw IntakeError(
      fmt::format("Cannot write `{}`: {}.", path.string(), std::generic_category().message(error)));
}

// Opens a new file for writing; never an existing file, never through a link.
class NewFile {
 public:
  explicit NewFile(fs::path path)
      : path_(std::move(path)),
        fd_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)) {
    if (fd_ < 0) cannot_write(path_, errno);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  void write(std::span<const char> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) cannot_write(path_, errno);
      if (written > 0) bytes = bytes.subspan(static_cast<size_t>(written));
    }
  }

  // Some file systems report a full disk only here.
  void close() {
    if (::close(std::exchange(fd_, -1)) != 0) cannot_write(path_, errno);
  }

 private:
  fs::path path_;
  int fd_;
};

}  // namespace

Destination::Destination(fs::path into, std::string submission, const IntakeLimits& limits)
    : into_(std::move(into)), submission_(shown(submission)), limits_(limits) {
  std::error_code error;
  const bool empty = fs::is_directory(into_, error) && fs::is_empty(into_, error) && !error;
  if (!empty) {
    throw IntakeError(fmt::format("`{}` is not an empty folder.", into_.string()));
  }
}

void Destination::put(const std::string& path, std::optional<uint64_t> announced_bytes,
                      int64_t modified, const ByteSource& source) {
  if (by_folded_path_.size() >= limits_.files) {
    throw SubmissionError(
        fmt::format("`{}` contains more than {} files; hand in only the sources of the assignment.",
                    submission_, limits_.files));
  }
  check_depth(path);
  claim_name(path);
  check_room(path, announced_bytes.value_or(0));
  const uint64_t bytes = write(path, source);
  total_bytes_ += bytes;
  SubmittedFile& file = by_folded_path_.at(fold_case(path));
  file.bytes = bytes;
  file.modified = modified;
}

void Destination::take_out(const std::string& path) {
  std::error_code error;
  if (!fs::remove(into_ / path, error)) cannot_write(into_ / path, error.value());
  by_folded_path_.erase(fold_case(path));
}

void Destination::clear() noexcept {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(into_, error)) {
    std::error_code ignored;  // nothing better can be done about it than to go on
    fs::remove_all(entry.path(), ignored);
  }
}

std::vector<SubmittedFile> Destination::files() const {
  std::vector<SubmittedFile> all;
  all.reserve(by_folded_path_.size());
  for (const auto& [folded, file] : by_folded_path_) all.push_back(file);
  std::sort(all.begin(), all.end(),
            [](const SubmittedFile& a, const SubmittedFile& b) { return a.path < b.path; });
  return all;
}

void Destination::check_depth(const std::string& path) const {
  const auto folders = std::count(path.begin(), path.end(), '/');
  if (folders > static_cast<std::ptrdiff_t>(limits_.depth)) {
    throw SubmissionError(
        fmt::format("`{}` contains `{}`, {} folders deep; at most {} are accepted.", submission_,
                    shown(path), folders, limits_.depth));
  }
}

void Destination::claim_name(const std::string& path) {
  const auto both_kinds = [&](const std::string& name) {
    throw SubmissionError(fmt::format("`{}` contains `{}` both as a file and as a folder.",
                                      submission_, shown(name)));
  };
  const std::string folded = fold_case(path);
  if (folders_.count(folded) > 0) both_kinds(folders_.at(folded));
  const auto [seen, is_new] = by_folded_path_.try_emplace(folded, SubmittedFile{path, 0});
  if (!is_new && seen->second.path == path) {
    throw SubmissionError(
        fmt::format("`{}` contains `{}` twice, and which one counts is unclear; pack it again.",
                    submission_, shown(path)));
  }
  if (!is_new) {
    throw SubmissionError(fmt::format(
        "`{}` contains `{}` and `{}`, whose names differ only in capital letters; keep one.",
        submission_, shown(seen->second.path), shown(path)));
  }
  for (size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder = folded.substr(0, slash);
    const auto file = by_folded_path_.find(folder);
    if (file != by_folded_path_.end()) both_kinds(file->second.path);
    folders_.try_emplace(folder, path.substr(0, slash));
  }
}

void Destination::check_room(const std::string& path, uint64_t bytes) const {
  if (bytes > limits_.file_bytes) {
    throw SubmissionError(
        fmt::format("`{}` in `{}` is larger than {}, the most that one file may be.", shown(path),
                    submission_, size_text(limits_.file_bytes)));
  }
  if (bytes > limits_.total_bytes - total_bytes_) {
    throw SubmissionError(
        fmt::format("`{}` holds more than {} (reached at `{}`); hand in sources only, "
                    "without data and build results.",
                    submission_, size_text(limits_.total_bytes), shown(path)));
  }
}

uint64_t Destination::write(const std::string& path, const ByteSource& source) {
  const fs::path target = into_ / path;
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) cannot_write(target.parent_path(), error.value());

  NewFile file(target);
  TextWatch watch;
  uint64_t bytes = 0;
  std::array<char, 1 << 16> buffer;
  while (const size_t got = source(buffer)) {
    bytes += got;
    check_room(path, bytes);
    file.write({buffer.data(), got});
    watch.see({buffer.data(), got});
  }
  file.close();
  if (is_source_name(path)) watch.remark(path, notes_);
  return bytes;
}

}  // namespace convkit

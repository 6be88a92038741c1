// SPDX-License-Identifier: MIT
#include "convkit/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace convkit {
namespace {

namespace fs = std::filesystem;

int open_folder(const fs::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Whether the open folder belongs to this user and still has a name.
bool is_ours(int folder) {
  struct stat status {};
  return fstat(folder, &status) == 0 && status.st_uid == geteuid() && status.st_nlink > 0;
}

// convkit-PURPOSE.XXXXXX: small letters, and six letters or digits from mkdtemp.
bool is_made_here(std::string_view name) {
  constexpr std::string_view kBegin = "convkit-";
  if (!name.starts_with(kBegin)) return false;
  name.remove_prefix(kBegin.size());
  const auto is_small = [](char c) { return 'a' <= c && c <= 'z'; };
  const auto is_drawn = [&](char c) {
    return is_small(c) || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
  };
  const size_t dot = name.find('.');
  return dot > 0 && dot + 1 + 6 == name.size() &&
         std::ranges::all_of(name.substr(0, dot), is_small) &&
         std::ranges::all_of(name.substr(dot + 1), is_drawn);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : TemporaryFolder(purpose, fs::temp_directory_path()) {}

TemporaryFolder::TemporaryFolder(const std::string& purpose, const fs::path& base) {
  [[maybe_unused]] static const size_t swept = sweep_temporary_folders();
  // Another process may sweep between making and locking: then a new one is made.
  while (lock_ < 0) {
    std::string pattern = (base / ("convkit-" + purpose + ".XXXXXX")).string();
    if (!mkdtemp(pattern.data())) {
      throw std::runtime_error("A temporary folder cannot be made in " + base.string() + ": " +
                               std::strerror(errno) + ".");
    }
    path_ = pattern;
    const int folder = open_folder(path_);
    if (folder < 0 && errno == ENOENT) continue;
    if (folder < 0) {
      throw std::runtime_error("A temporary folder cannot be opened in " + base.string() + ": " +
                               std::strerror(errno) + ".");
    }
    flock(folder, LOCK_EX);
    if (is_ours(folder)) {
      lock_ = folder;
    } else {
      close(folder);
    }
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
  close(lock_);
}

size_t sweep_temporary_folders() {
  size_t removed = 0;
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry(fs::temp_directory_path(error), error); !error && entry != end;
       entry.increment(error)) {
    if (!is_made_here(entry->path().filename().string())) continue;
    const int folder = open_folder(entry->path());
    if (folder < 0) continue;
    if (is_ours(folder) && flock(folder, LOCK_EX | LOCK_NB) == 0) {
      std::error_code ignored;
      fs::remove_all(entry->path(), ignored);
      removed += ignored ? 0 : 1;
    }
    close(folder);
  }
  return removed;
}

void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to) {
  fs::create_directories(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path copy = to / entry.path().lexically_relative(from);
    if (entry.is_directory()) {
      fs::create_directories(copy);
    } else {
      fs::copy_file(entry.path(), copy);
      fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
    }
  }
}

}  // namespace convkit

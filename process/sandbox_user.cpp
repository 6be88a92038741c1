// SPDX-License-Identifier: MIT
#include "process/sandbox_user.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "process/system_paths.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// The numbers that systemd gives to services for as long as they run: no account has one of them,
// and they exist in a container, too.
constexpr unsigned kFirstUser = 61184, kLastUser = 65519;

constexpr unsigned kUsers = kLastUser - kFirstUser + 1;

// Of these, so many take turns: more than programs run side by side.
constexpr unsigned kInTurn = 256;

// So many programs at most are about to start at one time.
constexpr unsigned kStarting = 64;

// The list of accounts may be on another machine, and slow: each number is asked for once. To be
// called by one thread at a time, as getpwuid().
bool is_account(unsigned number) {
  static std::map<unsigned, bool> answers;
  const auto [answer, is_new] = answers.try_emplace(number);
  if (is_new) answer->second = getpwuid(number) != nullptr || getgrgid(number) != nullptr;
  return answer->second;
}

// Of users and groups that have a process.
std::set<unsigned> numbers_in_use() {
  std::set<unsigned> numbers;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    struct stat status {};
    if (stat(entry->path().c_str(), &status) == 0) numbers.insert({status.st_uid, status.st_gid});
  }
  return numbers;
}

// A number that was given is not in use before its program has started: graders that run side by
// side agree on such numbers by a lock of its byte in one file. A lock ends with its grader.
bool lock_number(unsigned number, bool locked) {
  static const int file =
      open("/run/convkit-users", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (file < 0) return true;  // a container may have no such folder, and has few graders
  struct flock lock {};
  lock.l_type = static_cast<short>(locked ? F_WRLCK : F_UNLCK);
  lock.l_start = number;
  lock.l_len = 1;
  return fcntl(file, F_SETLK, &lock) == 0;
}

// The first free number from `start` on, in a circle; locked.
std::optional<unsigned> free_number(unsigned start) {
  const std::set<unsigned> busy = numbers_in_use();
  for (unsigned i = 0; i < kUsers; ++i) {
    const unsigned number = kFirstUser + (start + i) % kUsers;
    if (busy.count(number) == 0 && !is_account(number) && lock_number(number, true)) return number;
  }
  return std::nullopt;
}

bool may(const fs::path& path, mode_t wanted) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return true;  // nothing is there to be read
  const bool in_group = sandbox_group() && status.st_gid == *sandbox_group();
  const mode_t granted = (status.st_mode | (in_group ? status.st_mode >> 3 : 0)) & S_IRWXO;
  return (granted & wanted) == wanted;
}

// Every folder on the way to `path`.
bool may_pass(const fs::path& path) {
  for (fs::path folder = path.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (!may(folder, S_IXOTH)) return false;
  }
  return true;
}

// What the system itself keeps is as readable as it is meant to be.
bool belongs_to_the_system(const fs::path& path) {
  const auto in = [&](const char* folder) { return lies_in(path, folder); };
  constexpr std::array kMore = {"/dev", "/etc", "/opt", "/proc", "/run", "/sys"};
  return std::ranges::any_of(system_folders(), in) || std::ranges::any_of(kMore, in);
}

}  // namespace

std::optional<gid_t> sandbox_group() {
  // Another grader begins elsewhere.
  static const std::optional<gid_t> group =
      geteuid() == 0 ? free_number(static_cast<unsigned>(getpid())) : std::nullopt;
  return group;
}

std::optional<uid_t> user_for_one_program() {
  static std::mutex mutex;  // of is_account(), too
  static const unsigned first = sandbox_group().value_or(kFirstUser) - kFirstUser + 1;
  static unsigned next = first;
  if (!sandbox_group()) return std::nullopt;
  const std::lock_guard lock(mutex);
  const auto user = free_number(next);
  if (!user) return std::nullopt;
  static std::deque<unsigned> starting;
  starting.push_back(*user);
  if (starting.size() > kStarting) {
    lock_number(starting.front(), false);
    starting.pop_front();
  }
  next = *user - kFirstUser + 1;
  if ((next + kUsers - first) % kUsers >= kInTurn) next = first;
  return user;
}

void open_to_sandbox(const fs::path& folder, bool writable) {
  const auto group = sandbox_group();
  if (!group) return;
  const auto open = [&](const fs::path& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return;
    // The owner's rights, but that files are only written where folders may be.
    mode_t mode = (status.st_mode & S_IRWXU) >> 3;
    if (!writable) mode &= ~static_cast<mode_t>(S_IWGRP);
    (void)!lchown(path.c_str(), static_cast<uid_t>(-1), *group);
    chmod(path.c_str(), (status.st_mode & (S_IRWXU | S_IRWXO)) | mode);
  };
  open(folder);
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    open(entry->path());
  }
}

fs::path temporary_place_for_sandbox(bool by_path) {
  const fs::path usual = fs::temp_directory_path();
  if (!by_path || !sandbox_group()) return usual;
  for (const fs::path& place : {usual, fs::path("/tmp"), fs::path("/var/tmp")}) {
    if (may_pass(place / "any")) return place;
  }
  return usual;
}

bool sandbox_may_read(const fs::path& path, bool by_path) {
  if (belongs_to_the_system(path)) return true;
  if (by_path && !may_pass(path)) return false;
  std::error_code error;
  if (!fs::is_directory(path, error)) return may(path, S_IROTH);
  if (!may(path, S_IROTH | S_IXOTH)) return false;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const bool folder = entry->is_directory(error);
    if (!may(entry->path(), folder ? S_IROTH | S_IXOTH : S_IROTH)) return false;
  }
  return true;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Which files a child keeps, under which numbers.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "process/spawn.h"

namespace convkit {
namespace {

constexpr size_t kMostPassed = 64;
constexpr unsigned kFirst = 3;              // after the standard three
constexpr unsigned kCloseOnExec = 1u << 2;  // CLOSE_RANGE_CLOEXEC

// The same as close_range() of Linux 5.9 (with the flag: 5.11), for older kernels, too.
void for_range(unsigned first, unsigned last, unsigned flag) noexcept {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, flag) == 0) return;
#endif
  // One by one, as far as descriptors can have been opened.
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  const auto end = static_cast<unsigned>(std::min<rlim_t>(open_files.rlim_cur, 1 << 20));
  for (unsigned fd = first; fd < end && fd <= last; ++fd) {
    if (flag == kCloseOnExec)
      fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
    else
      close(static_cast<int>(fd));
  }
}

}  // namespace

void close_all_but(int kept) noexcept {
  const auto number = static_cast<unsigned>(kept);
  if (kept < static_cast<int>(kFirst)) return for_range(kFirst, ~0u, 0);
  if (number > kFirst) for_range(kFirst, number - 1, 0);
  for_range(number + 1, ~0u, 0);
}

bool arrange_descriptors(const PassedFd* fds, size_t count) noexcept {
  if (count > kMostPassed) {
    errno = E2BIG;
    return false;
  }
  int highest = 2;
  for (size_t i = 0; i < count; ++i) highest = std::max(highest, fds[i].child_fd);

  // First out of the way of all target numbers, so that no dup2 closes a source still needed.
  int moved[kMostPassed];
  for (size_t i = 0; i < count; ++i) {
    moved[i] = fcntl(fds[i].fd, F_DUPFD_CLOEXEC, highest + 1);
    if (moved[i] < 0) return false;
  }
  for_range(kFirst, ~0u, kCloseOnExec);
  for (size_t i = 0; i < count; ++i) {
    if (fds[i].child_fd < 3) {
      errno = EINVAL;
      return false;
    }
    // dup2 leaves the copy without the close-on-exec flag.
    if (dup2(moved[i], fds[i].child_fd) < 0) return false;
  }
  return true;
}

}  // namespace convkit

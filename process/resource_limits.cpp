// SPDX-License-Identifier: MIT
#include "process/resource_limits.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace convkit {
namespace {

void lower(int resource, rlim_t soft, rlim_t hard) noexcept {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  rlimit wanted{std::min(soft, now.rlim_max), std::min(hard, now.rlim_max)};
  setrlimit(static_cast<__rlimit_resource>(resource), &wanted);
}

void lower(int resource, uint64_t value) noexcept {
  if (value > 0) lower(resource, value, value);
}

// Field 20 of /proc/PID/stat; fields are counted after the program's name, which may hold spaces.
unsigned thread_count(int process_folder) {
  const int fd = openat(process_folder, "stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024] = {};
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return 0;
  const char* field = std::strrchr(text, ')');
  for (int number = 2; field != nullptr && number < 20; ++number) {
    field = std::strchr(field + 1, ' ');
  }
  return field == nullptr ? 0 : static_cast<unsigned>(std::strtoul(field + 1, nullptr, 10));
}

}  // namespace

void apply_resource_limits(const Limits& limits) noexcept {
  lower(RLIMIT_CORE, 0, 0);
  lower(RLIMIT_AS, limits.memory_bytes);
  lower(RLIMIT_FSIZE, limits.file_bytes);
  lower(RLIMIT_NPROC, limits.processes);
  lower(RLIMIT_NOFILE, limits.open_files);
  lower(RLIMIT_STACK, limits.stack_bytes);
  if (limits.cpu.count() > 0) {
    // SIGXCPU at the limit, SIGKILL a second later for a program that ignores it.
    const auto seconds = static_cast<rlim_t>(limits.cpu.count());
    lower(RLIMIT_CPU, seconds, seconds + 1);
  }
}

Limits with_running_threads(Limits limits, uid_t user) {
  if (limits.processes == 0 || user == 0) return limits;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return limits;
  while (const dirent* entry = readdir(proc)) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    const int folder = openat(dirfd(proc), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;
    struct stat owner {};
    if (fstat(folder, &owner) == 0 && owner.st_uid == user) {
      limits.processes += thread_count(folder);
    }
    close(folder);
  }
  closedir(proc);
  return limits;
}

uint64_t memory_of_machine(uint64_t limit_bytes) noexcept {
  const char* variable = std::getenv("CONVKIT_MEMORY_MIB");
  if (variable == nullptr) return limit_bytes;
  const uint64_t mib = std::strtoull(variable, nullptr, 10);
  return mib == 0 || mib > (limit_bytes >> 20) ? limit_bytes : mib << 20;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "process/thread_states.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "process/file_descriptor.h"

namespace convkit {
namespace {

// The state in "/proc/.../stat": "PID (NAME) STATE ...", where NAME may hold anything. 'X', as of
// one that has ended, if it cannot be read.
char state_of(int tasks, const char* thread) {
  const FileDescriptor stat(
      openat(tasks, (std::string(thread) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 256> text;
  const ssize_t size = stat ? read(stat.get(), text.data(), text.size()) : -1;
  if (size <= 0) return 'X';
  const std::string_view words(text.data(), static_cast<size_t>(size));
  const size_t name_end = words.rfind(')');
  return name_end + 2 < words.size() ? words[name_end + 2] : 'X';
}

}  // namespace

bool stands_still(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir(folder.c_str()), closedir);
  if (!tasks) return true;
  while (const dirent* thread = readdir(tasks.get())) {
    if (thread->d_name[0] == '.') continue;
    const char state = state_of(dirfd(tasks.get()), thread->d_name);
    if (std::string_view("TtZX").find(state) == std::string_view::npos) return false;
  }
  return true;
}

double processor_time_s(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return 0;
  }
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace convkit

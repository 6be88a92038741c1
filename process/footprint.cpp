// SPDX-License-Identifier: MIT
#include "process/footprint.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

namespace convkit {
namespace {

namespace fs = std::filesystem;

fs::path proc(pid_t pid) {
  return fs::path("/proc") / std::to_string(pid);
}

// "pid (name) S ...", where the name may hold anything.
char state_in(const fs::path& task) {
  std::ifstream file(task / "stat");
  std::string line;
  std::getline(file, line);
  const size_t end = line.rfind(')');
  return end == std::string::npos || end + 2 >= line.size() ? 'X' : line[end + 2];
}

}  // namespace

pid_t innermost_child(pid_t pid) {
  for (;;) {
    std::ifstream children(proc(pid) / "task" / std::to_string(pid) / "children");
    pid_t child = 0;
    if (!(children >> child)) return pid;
    pid = child;
  }
}

std::optional<Footprint> footprint_of(pid_t pid) {
  Footprint footprint;
  std::ifstream status(proc(pid) / "status");
  uint64_t kib = 0;
  for (std::string word; status >> word;) {
    if (word == "VmData:") status >> kib;
    if (word == "Threads:") status >> footprint.threads;
  }
  if (kib == 0) return std::nullopt;
  footprint.memory = kib << 10;
  std::error_code error;
  for (fs::directory_iterator entry(proc(pid) / "fd", error), end; !error && entry != end;
       entry.increment(error)) {
    ++footprint.descriptors;
  }
  return footprint;
}

double processor_time_s(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool stands_still(pid_t pid) {
  std::error_code error;
  for (fs::directory_iterator task(proc(pid) / "task", error), end; !error && task != end;
       task.increment(error)) {
    const char state = state_in(task->path());
    if (state != 'T' && state != 't' && state != 'Z' && state != 'X') return false;
  }
  return true;
}

}  // namespace convkit

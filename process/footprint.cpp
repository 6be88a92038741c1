// SPDX-License-Identifier: MIT
#include "process/footprint.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

// Bytes; zero in a process that has ended.
struct Status {
  uint64_t data = 0, anonymous = 0, shared = 0, swapped = 0;
  unsigned threads = 0;
};

Status status_of(pid_t pid) {
  Status result;
  std::ifstream file(proc(pid) / "status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    uint64_t number = 0;
    words >> name >> number;
    if (name == "VmData:") result.data = number << 10;
    if (name == "RssAnon:") result.anonymous = number << 10;
    if (name == "RssShmem:") result.shared = number << 10;
    if (name == "VmSwap:") result.swapped = number << 10;
    if (name == "Threads:") result.threads = static_cast<unsigned>(number);
  }
  return result;
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

uint64_t memory_in_use(pid_t pid) {
  uint64_t sum = 0;
  std::vector<pid_t> family = {pid};
  for (size_t i = 0; i < family.size(); ++i) {
    std::error_code error;
    for (fs::directory_iterator task(proc(family[i]) / "task", error), end; !error && task != end;
         task.increment(error)) {
      std::ifstream children(task->path() / "children");
      for (pid_t child = 0; children >> child;) family.push_back(child);
    }
    const Status status = status_of(family[i]);
    sum += status.anonymous + status.shared + status.swapped;
  }
  return sum;
}

std::optional<Footprint> footprint_of(pid_t pid) {
  const Status status = status_of(pid);
  if (status.data == 0) return std::nullopt;
  Footprint footprint;
  footprint.threads = status.threads;
  footprint.memory = status.data;
  footprint.resident = status.anonymous + status.swapped;
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

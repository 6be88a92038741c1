// SPDX-License-Identifier: MIT
#include "process/footprint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "process/file_descriptor.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

fs::path proc(pid_t pid) {
  return fs::path("/proc") / std::to_string(pid);
}

// What the kernel says in a file of at most some KiB. Without streams: a runner is looked at many
// times a second.
std::string text_of(const fs::path& path) {
  std::string text(8192, '\0');
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t length = file ? read(file.get(), text.data(), text.size()) : 0;
  text.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return text;
}

// "pid (name) S ...", where the name may hold anything.
char state_in(const fs::path& task) {
  const std::string line = text_of(task / "stat");
  const size_t end = line.rfind(')');
  return end == std::string::npos || end + 2 >= line.size() ? 'X' : line[end + 2];
}

// utime + stime + cutime + cstime: the fields 14 to 17 of "pid (name) state ...".
long long ticks_of(pid_t pid) {
  const std::string line = text_of(proc(pid) / "stat");
  const size_t end = line.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream fields(line.substr(end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  long long sum = 0, ticks = 0;
  for (int field = 14; field <= 17 && fields >> ticks; ++field) sum += ticks;
  return sum;
}

// Bytes; zero in a process that has ended.
struct Status {
  uint64_t data = 0, anonymous = 0, shared = 0, swapped = 0;
  unsigned threads = 0;
};

Status status_of(pid_t pid) {
  const std::string text = text_of(proc(pid) / "status");
  const auto number = [&](const char* name) -> uint64_t {
    const size_t at = text.find(name);  // after a line feed: the first line is the program's name
    return at == std::string::npos
               ? 0
               : std::strtoull(text.c_str() + at + std::strlen(name), nullptr, 10);
  };
  return {number("\nVmData:") << 10, number("\nRssAnon:") << 10, number("\nRssShmem:") << 10,
          number("\nVmSwap:") << 10, static_cast<unsigned>(number("\nThreads:"))};
}

// Of one thread.
std::vector<pid_t> children_of(const fs::path& task) {
  std::vector<pid_t> children;
  const std::string text = text_of(task / "children");
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end) {
    const long child = std::strtol(at, &end, 10);
    if (end == at) return children;
    children.push_back(static_cast<pid_t>(child));
  }
}

}  // namespace

pid_t innermost_child(pid_t pid) {
  for (;;) {
    const std::vector<pid_t> children = children_of(proc(pid) / "task" / std::to_string(pid));
    if (children.empty()) return pid;
    pid = children.front();
  }
}

std::vector<pid_t> family_of(pid_t pid) {
  std::vector<pid_t> family = {pid};
  for (size_t i = 0; i < family.size(); ++i) {
    std::error_code error;
    for (fs::directory_iterator task(proc(family[i]) / "task", error), end; !error && task != end;
         task.increment(error)) {
      const std::vector<pid_t> children = children_of(task->path());
      family.insert(family.end(), children.begin(), children.end());
    }
  }
  return family;
}

uint64_t memory_in_use(pid_t pid) {
  uint64_t sum = 0;
  for (const pid_t member : family_of(pid)) {
    const Status status = status_of(member);
    sum += status.anonymous + status.shared + status.swapped;
  }
  return sum;
}

double family_processor_time_s(const std::vector<pid_t>& family) {
  long long ticks = 0;
  for (const pid_t member : family) ticks += ticks_of(member);
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
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

bool can_run(pid_t pid) {
  std::error_code error;
  for (fs::directory_iterator task(proc(pid) / "task", error), end; !error && task != end;
       task.increment(error)) {
    if (state_in(task->path()) == 'R') return true;
  }
  return false;
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

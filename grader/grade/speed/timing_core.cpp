// SPDX-License-Identifier: MIT
#include "grade/speed/timing_core.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "process/process.h"

namespace convkit {
namespace {

int last_usable_cpu() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return 0;
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &usable)) last = cpu;
  }
  return last;
}

}  // namespace

TimingCore::TimingCore(const std::filesystem::path& lock_folder) : cpu_(last_usable_cpu()) {
  const std::string file = lock_folder / ("timing-cpu-" + std::to_string(cpu_) + ".lock");
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return;
  while (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && !interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

TimingCore::~TimingCore() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace convkit

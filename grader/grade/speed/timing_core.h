// SPDX-License-Identifier: MIT
// The core that is timed on: one grader at a time.
#pragma once

#include <filesystem>

namespace convkit {

// Chooses the last CPU this process may use (the first one serves most interrupts) and holds it
// until destroyed: another grader of this user that wants to time waits. If the lock file cannot be
// made, there is no waiting.
class TimingCore {
 public:
  // Waits its turn, or until Ctrl-C.
  explicit TimingCore(const std::filesystem::path& lock_folder);
  ~TimingCore();
  TimingCore(const TimingCore&) = delete;
  TimingCore& operator=(const TimingCore&) = delete;

  int cpu() const { return cpu_; }

 private:
  int cpu_ = 0;
  int lock_ = -1;
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "process/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "process/process.h"

namespace convkit {
namespace {

std::atomic<bool> was_interrupted{false};
std::atomic<int> wakeup_fd{-1};

// A signal reaches one thread only; the event counter is never read, so it wakes all the others.
void on_interrupt(int) {
  const int saved_errno = errno;
  was_interrupted = true;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wakeup_fd, &one, sizeof one);
  errno = saved_errno;
}

}  // namespace

int interrupt_fd() {
  return wakeup_fd;
}

void install_interrupt_handler() {
  if (wakeup_fd >= 0) return;
  wakeup_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: blocking calls of the interrupted thread return
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() {
  return was_interrupted;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "process/process_family.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace convkit {
namespace {

// Runs one function at a time on a thread that lasts as long as the program.
class ForkThread {
 public:
  ForkThread() {
    // All signals stay blocked there, so that no handler runs in a child before exec.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { serve(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  pid_t run(const std::function<pid_t()>& fork) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return request_ == nullptr; });
    bool done = false;
    pid_t result = -1;
    int error = 0;
    const std::function<void()> request = [&] {
      result = fork();
      error = errno;
      done = true;
    };
    request_ = &request;
    changed_.notify_all();
    changed_.wait(lock, [&] { return done; });
    errno = error;
    return result;
  }

 private:
  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return request_ != nullptr; });
      (*request_)();
      request_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* request_ = nullptr;
};

// Never destroyed: at exit another thread may still be starting a process.
ForkThread& fork_thread() {
  static ForkThread& thread = *new ForkThread;
  return thread;
}

std::vector<pid_t> children_of_this_process() {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

// Dying after SIGKILL takes the kernel a moment; a process stuck in a device is not waited for.
constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kNap = std::chrono::microseconds(500);

}  // namespace

ProcessFamily::ProcessFamily() {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

ProcessFamily& ProcessFamily::instance() {
  static ProcessFamily& family = *new ProcessFamily;
  return family;
}

pid_t ProcessFamily::start(const std::function<pid_t()>& fork) {
  // The lock is held until the new leader is known: end_escapees() must not take it for a stray.
  const std::lock_guard lock(mutex_);
  const pid_t pid = fork_thread().run(fork);
  if (pid > 0) leaders_.insert(pid);
  return pid;
}

void ProcessFamily::kill_group(pid_t leader) {
  // Twice: until the child has called setsid() its group does not exist.
  ::kill(-leader, SIGKILL);
  ::kill(leader, SIGKILL);
}

void ProcessFamily::forget(pid_t leader) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const auto nap = [&] {
    std::this_thread::sleep_for(kNap);
    return std::chrono::steady_clock::now() < deadline;
  };
  // The group was killed as a whole (fork and the group signal exclude each other in the kernel);
  // its members come to us one after the other, as their parents die.
  for (;;) {
    const pid_t reaped = waitpid(-leader, nullptr, WNOHANG);
    if (reaped > 0) continue;
    if (reaped < 0 && errno != EINTR) break;
    if (!nap()) break;
  }
  const std::lock_guard lock(mutex_);
  leaders_.erase(leader);
  while (end_escapees() && nap()) {
  }
}

// Returns whether there were any; their own children reach us only after they have died.
bool ProcessFamily::end_escapees() {
  bool found = false;
  for (const pid_t child : children_of_this_process()) {
    const pid_t session = getsid(child);
    // A leader is in our session for the moment between its fork and its setsid().
    if (session == getsid(0) || leaders_.count(child) != 0 || leaders_.count(session) != 0)
      continue;
    found = true;
    ::kill(child, SIGKILL);
    waitpid(child, nullptr, WNOHANG);
  }
  return found;
}

}  // namespace convkit

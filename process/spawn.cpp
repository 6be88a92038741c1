// SPDX-License-Identifier: MIT
#include "process/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "process/file_descriptor.h"
#include "process/process_family.h"
#include "process/resource_limits.h"

namespace convkit {
namespace {

// The report of a child that could not exec, through a pipe that exec closes.
struct Failure {
  enum Step : int { none, setup, directory, descriptors, exec };
  Step step = none;
  int error = 0;
};

[[noreturn]] void fail(int report_fd, Failure::Step step) noexcept {
  const Failure failure{step, errno};
  [[maybe_unused]] const ssize_t written = write(report_fd, &failure, sizeof failure);
  _exit(127);
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const auto& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

// Only asynchronous-signal-safe calls: another thread may have held any lock at the fork.
[[noreturn]] void run_child(const SpawnPlan& plan, char* const* argv, char* const* environment,
                            pid_t parent, int report_fd) noexcept {
  if (plan.dies_with_parent && !die_with(parent)) _exit(127);
  setsid();
  reset_signals();
  if (plan.cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<size_t>(plan.cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) fail(report_fd, Failure::setup);
  }
  if (!plan.directory.empty() && chdir(plan.directory.c_str()) != 0) {
    fail(report_fd, Failure::directory);
  }
  const int null_fd = open("/dev/null", O_RDONLY);
  if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(plan.output_fd, 1) < 0 ||
      dup2(plan.output_fd, 2) < 0) {
    fail(report_fd, Failure::descriptors);
  }
  // `report_fd` was given a number above all those the child is passed.
  if (!arrange_descriptors(plan.fds.data(), plan.fds.size())) {
    fail(report_fd, Failure::descriptors);
  }
  apply_resource_limits(plan.limits);
  execve(plan.program.c_str(), argv, environment);
  fail(report_fd, Failure::exec);
}

[[noreturn]] void report(const Failure& failure, const SpawnPlan& plan) {
  std::string what = "cannot start " + plan.program.string();
  if (failure.step == Failure::directory) what += " in the folder " + plan.directory.string();
  if (failure.step == Failure::descriptors) what += ": its file descriptors";
  if (failure.step == Failure::setup) what += " on CPU " + std::to_string(plan.cpu);
  throw std::system_error(failure.error, std::generic_category(), what);
}

int above_all(const std::vector<PassedFd>& fds) {
  int highest = 2;
  for (const auto& fd : fds) highest = std::max(highest, fd.child_fd);
  return highest + 1;
}

}  // namespace

bool die_with(pid_t parent) noexcept {
  // The parent may have died before the first call took effect: then we have another one by now.
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent;
}

void reset_signals() noexcept {
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &by_default, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

std::filesystem::path find_program(const std::string& name) {
  namespace fs = std::filesystem;
  if (name.find('/') != std::string::npos) return fs::absolute(name);
  const char* variable = std::getenv("PATH");
  std::string path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::absolute(fs::path(path.substr(begin, end - begin)) / name);
    std::error_code error;
    if (!name.empty() && fs::is_regular_file(candidate, error) &&
        access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    begin = end + 1;
  }
  throw std::system_error(ENOENT, std::generic_category(), "cannot start '" + name + "'");
}

pid_t spawn(const SpawnPlan& plan) {
  const auto argv = pointers(plan.argv);
  const auto environment = pointers(plan.environment);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot create a pipe");
  }
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(fcntl(ends[1], F_DUPFD_CLOEXEC, above_all(plan.fds)));
  close(ends[1]);

  const pid_t parent = getpid();
  const pid_t pid = ProcessFamily::instance().start([&] {
    const pid_t child = fork();
    if (child == 0) {
      run_child(plan, argv.data(), environment.data(), parent, write_end.get());
    }
    return child;
  });
  if (pid < 0) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot start " + plan.program.string());
  }
  write_end.reset();

  Failure failure;
  ssize_t size = 0;
  do {
    size = read(read_end.get(), &failure, sizeof failure);
  } while (size < 0 && errno == EINTR);
  if (size != sizeof failure) return pid;  // closed by exec
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  ProcessFamily::instance().forget(pid);
  report(failure, plan);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// convkit-confine: gives up rights, then runs a program.
//
// Theory of operation. This process forks; the child gives up everything its options say and
// execs the program; the parent stays outside that confinement, waits, and reports on a socket how
// the program really ended, with its time and memory. That report is what passes through
// bubblewrap, which tells its own parent only "128 + signal"; and a program cannot touch its
// parent, which is not in its Landlock domain and not dumpable. In a pid namespace this process is
// init: when it ends, the kernel ends everything else in there. When the grader shuts down its side
// of the socket, or dies, the program is killed.
#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "process/capabilities.h"
#include "process/channels.h"
#include "process/confine_options.h"
#include "process/landlock.h"
#include "process/probe_attempts.h"
#include "process/resource_limits.h"
#include "process/spawn.h"
#include "process/syscall_filter.h"
#include "process/system_paths.h"

namespace convkit {
namespace {

// Which paths a confined program may read, write and execute, as Landlock rules.

namespace fs = std::filesystem;

// The program interpreter (ld-linux) of a 64-bit ELF file; empty if it is static or anything else.
std::string dynamic_linker(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.e_ident[EI_MAG0] != ELFMAG0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return {};
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof segment));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!file) return {};
    constexpr size_t kLongestPath = 4096;
    if (segment.p_type != PT_INTERP || segment.p_filesz > kLongestPath) continue;
    std::string name(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(name.data(), static_cast<std::streamsize>(name.size()));
    return name.c_str();  // without the terminating zero
  }
  return {};
}

// `folder` without `hidden`, which may lie in it. A rule counts for everything below its path, so
// the folders on the way there can only be listed, as linkers do. What a link leads to has a rule
// where it lies.
void add_without(const fs::path& hidden, const fs::path& folder, unsigned access,
                 std::vector<PathRule>& rules) {
  if (!lies_in(hidden, folder)) {
    rules.push_back({folder.string(), access});
  } else if (folder != hidden) {
    rules.push_back({folder.string(), PathRule::list});
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (!entry.is_symlink(error)) add_without(hidden, entry.path(), access, rules);
    }
  }
}

// A compiler may execute what it may read, but nothing it may write. A runner may execute one file,
// and the dynamic linker that file names.
std::vector<PathRule> path_rules(const ConfineOptions& options) {
  const bool compiler = options.profile == Confinement::Profile::compiler;
  const unsigned reading = compiler ? PathRule::read | PathRule::execute : PathRule::read;
  std::vector<PathRule> rules;
  const auto add = [&](std::span<const char* const> paths, unsigned access) {
    for (const char* path : paths) rules.push_back({path, access});
  };
  const auto add_folders = [&](std::span<const char* const> folders) {
    for (const char* name : folders) {
      std::error_code error;
      const fs::path folder = fs::canonical(name, error);  // /lib leads to /usr/lib
      if (!error) add_without(options.hidden, folder, reading, rules);
    }
  };
  add_folders(system_folders());
  if (compiler) add_folders(toolchain_folders());
  add(system_settings(), PathRule::read);
  add(machine_facts(), PathRule::read);
  add(harmless_devices(), PathRule::read | PathRule::write);
  for (const auto& path : options.read_only) rules.push_back({path, reading});
  for (const auto& path : options.read_write) {
    rules.push_back({path, PathRule::read | PathRule::write});
  }
  for (const auto& path : options.devices) rules.push_back({path, PathRule::device});
  if (!options.executable.empty()) {
    rules.push_back({options.executable, PathRule::read | PathRule::execute});
    rules.push_back({dynamic_linker(options.executable), PathRule::read | PathRule::execute});
  }
  return rules;
}

constexpr int kCannotConfine = 125;  // the exit code of env(1), nice(1), ... for their own failures

void send_report(int fd, const ConfineReport& report) {
  if (fd >= 0) send(fd, &report, sizeof report, MSG_NOSIGNAL);
}

int give_up(int report_fd, int error, const std::string& what) {
  ConfineReport report;
  report.value = error;
  what.copy(report.what, sizeof report.what - 1);
  send_report(report_fd, report);
  if (report_fd < 0) {
    std::fprintf(stderr, "convkit-confine: %s%s%s\n", what.c_str(), error != 0 ? ": " : "",
                 error != 0 ? std::strerror(error) : "");
  }
  return kCannotConfine;
}

[[noreturn]] void fail(int error_pipe) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(error_pipe, &error, sizeof error);
  _exit(kCannotConfine);
}

// In the child. Layers that do not work here are left out: the grader's probe knows.
[[noreturn]] void become_program(const ConfineOptions& options, pid_t parent, int error_pipe) {
  if (!die_with(parent)) _exit(kCannotConfine);
  reset_signals();
  std::vector<char*> argv;
  for (const auto& word : options.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // The rules first: that user might not find the paths.
  if (options.landlock) restrict_by_landlock(path_rules(options));
  if (options.user == 0) {
    drop_capabilities();
  } else {
    const Kept kept = !options.keeps_reading                              ? Kept::nothing
                      : options.profile == Confinement::Profile::compiler ? Kept::reading
                                                                          : Kept::files;
    // The kernel forgets who is to die with whom when a process changes its user.
    if (!become_user(options.user, options.group, kept, options.devices)) fail(error_pipe);
    if (!die_with(parent)) _exit(kCannotConfine);
  }
  if (options.seccomp) install_syscall_filter();
  // Last: from here on this process may be too small to allocate anything.
  apply_resource_limits(options.limits);
  execve(argv[0], argv.data(), environ);
  fail(error_pipe);
}

ConfineReport ended(int status, const rusage& usage) {
  const auto microseconds = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  };
  ConfineReport report;
  report.kind = ConfineReport::Kind::ended;
  report.value = status;
  report.cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  report.peak_bytes = int64_t{usage.ru_maxrss} * 1024;
  return report;
}

// Waits for the program, and reaps whatever else becomes our child as init. Kills the program when
// the grader says so.
ConfineReport supervise(pid_t program, int report_fd, int child_signal_fd) {
  std::array<pollfd, 2> fds{{{child_signal_fd, POLLIN, 0}, {report_fd, POLLIN, 0}}};
  for (;;) {
    int status = 0;
    rusage usage{};
    const pid_t pid = wait4(-1, &status, WNOHANG, &usage);
    if (pid == program) return ended(status, usage);
    if (pid > 0) continue;
    poll(fds.data(), fds.size(), -1);
    signalfd_siginfo information;
    [[maybe_unused]] const ssize_t size = read(child_signal_fd, &information, sizeof information);
    if (fds[1].revents != 0) {
      kill(program, SIGKILL);
      fds[1].fd = -1;
    }
  }
}

int run(const ConfineOptions& options) {
  // A program that is stopped, or goes on, is no news.
  struct sigaction quiet {};
  quiet.sa_handler = SIG_DFL;
  quiet.sa_flags = SA_NOCLDSTOP;
  sigaction(SIGCHLD, &quiet, nullptr);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_signal, nullptr);
  if (options.report_fd >= 0) fcntl(options.report_fd, F_SETFD, FD_CLOEXEC);

  int exec_pipe[2];
  if (pipe2(exec_pipe, O_CLOEXEC) != 0) return give_up(options.report_fd, errno, ": pipe");
  const pid_t self = getpid();
  const pid_t program = fork();
  if (program < 0) return give_up(options.report_fd, errno, ": fork");
  if (program == 0) become_program(options, self, exec_pipe[1]);

  // Other processes of this user can neither ptrace this process nor read its /proc/PID/fd.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  close(exec_pipe[1]);
  int error = 0;
  if (read(exec_pipe[0], &error, sizeof error) == sizeof error) {
    return give_up(options.report_fd, error, options.report_fd >= 0 ? "" : options.argv[0]);
  }
  ConfineReport started;
  started.kind = ConfineReport::Kind::started;
  send_report(options.report_fd, started);

  // The program keeps the descriptors that it was passed: it alone decides when a pipe is closed.
  close_all_but(options.report_fd);
  const int child_signal_fd = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  const ConfineReport end = supervise(program, options.report_fd, child_signal_fd);
  send_report(options.report_fd, end);
  return WIFEXITED(end.value) ? WEXITSTATUS(end.value) : 128 + WTERMSIG(end.value);
}

}  // namespace
}  // namespace convkit

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  // _exit: there is nothing to clean up, and a leak check at exit could not look into a process
  // that is confined or not dumpable.
  if (arguments == std::vector<std::string>{"--attempt"}) _exit(convkit::attempt_what_is_refused());
  try {
    _exit(convkit::run(convkit::parse_confine_options(arguments)));
  } catch (const std::exception& error) {
    return convkit::give_up(-1, 0, error.what());
  }
}

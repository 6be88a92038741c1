// SPDX-License-Identifier: MIT
// A program that does one thing a submission must not do, chosen by its arguments, and tells by its
// exit code what came of it: 0 done, 1..124 the errno of the refusal. With --locked first it calls
// lock_down() before, as a runner does; a trapped system call is then named on stdout.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "process/lockdown.h"

extern char** environ;

namespace {

using Words = std::vector<std::string>;

int done_or_errno(bool done) {
  return done ? 0 : errno;
}

int read_file(const Words& words) {
  return done_or_errno(open(words[1].c_str(), O_RDONLY) >= 0);
}

int list_folder(const Words& words) {
  return done_or_errno(open(words[1].c_str(), O_RDONLY | O_DIRECTORY) >= 0);
}

int write_file(const Words& words) {
  const int fd = open(words[1].c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  return done_or_errno(fd >= 0 && write(fd, "x", 1) == 1);
}

int remove_file(const Words& words) {
  return done_or_errno(unlink(words[1].c_str()) == 0);
}

// Connects to a port of this machine on which the test listens.
int connect_to(const Words& words) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(words[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return done_or_errno(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

int make_socket(const Words&) {
  return done_or_errno(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}

int fork_once(const Words&) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) return errno;
  waitpid(child, nullptr, 0);
  return 0;
}

int raw_clone(const Words&) {
  const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) _exit(0);
  return done_or_errno(child > 0);
}

// Bounded, in case nothing stops it: prints how many processes there could be at once. A third word
// lets them stay.
int fork_bomb(const Words& words) {
  int count = 0;
  for (; count < std::stoi(words[1]); ++count) {
    const pid_t child = fork();
    if (child == 0) {
      pause();
      _exit(0);
    }
    if (child < 0) break;
  }
  std::printf("%d\n", count);
  std::fflush(stdout);
  if (words.size() > 2) pause();
  return 0;
}

int fork_when_gone(const Words& words) {
  while (access(words[2].c_str(), F_OK) == 0) usleep(1000);
  return fork_bomb({words[0], words[1]});
}

int execute(const Words& words) {
  std::vector<char*> arguments;
  for (size_t i = 1; i < words.size(); ++i) {
    arguments.push_back(const_cast<char*>(words[i].c_str()));
  }
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  return errno;
}

int print_without_end(const Words&) {
  for (;;) std::cout << "and on and on and on\n";
}

int loop(const Words&) {
  volatile bool forever = true;
  while (forever) {
  }
  return 0;
}

int loop_through_signals(const Words& words) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGXCPU}) std::signal(signal, SIG_IGN);
  return loop(words);
}

int sleep_long(const Words&) {
  sleep(600);
  return 0;
}

int allocate(const Words& words) {
  void* memory = mmap(nullptr, std::stoull(words[1]), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return done_or_errno(memory != MAP_FAILED);
}

// Makes that much resident.
int touch(const Words& words) {
  std::vector<char> memory(std::stoull(words[1]));
  for (size_t i = 0; i < memory.size(); i += 4096) memory[i] = 1;
  return memory[memory.size() / 2];
}

// Uses so many bytes for a long time: its own, shared ones, or in a child.
int hold(const Words& words) {
  const size_t bytes = std::stoull(words[1]);
  const std::string where = words[2];
  if (where == "child" && fork() != 0) return sleep_long({});
  const int kind = where == "shared" ? MAP_SHARED : MAP_PRIVATE;
  auto* memory = static_cast<volatile char*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) return errno;
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  return sleep_long({});
}

// Sparse, so that a missing limit costs no disk.
int grow_file(const Words& words) {
  std::signal(SIGXFSZ, SIG_IGN);
  const int fd = open(words[1].c_str(), O_WRONLY | O_CREAT, 0600);
  if (fd < 0) return errno;
  return done_or_errno(pwrite(fd, "x", 1, static_cast<off_t>(std::stoull(words[2]))) == 1);
}

int trace(const Words& words) {
  return done_or_errno(ptrace(PTRACE_SEIZE, std::stoi(words[1]), nullptr, nullptr) == 0);
}

int signal_process(const Words& words) {
  return done_or_errno(kill(std::stoi(words[1]), std::stoi(words[2])) == 0);
}

int kill_parent(const Words&) {
  return done_or_errno(kill(getppid(), SIGKILL) == 0);
}

// Forks a process that sleeps on, holding all descriptors open, and ends.
int leave_orphan(const Words&) {
  if (fork() == 0) return sleep_long({});
  return 0;
}

// The same, out of the session and the process group, twice removed.
int leave_daemon(const Words&) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) {
      setsid();
      return sleep_long({});
    }
    return 0;
  }
  waitpid(child, nullptr, 0);
  return 0;
}

int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth > 1 << 28 ? frame[0] : recurse(depth + 1) + frame[0];
}

int overflow_stack(const Words&) {
  return recurse(0);
}

int close_everything(const Words&) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  return 3;
}

int exit_with(const Words& words) {
  return std::stoi(words[1]);
}

int raise_signal(const Words& words) {
  return raise(std::stoi(words[1]));
}

[[noreturn]] int abort_now(const Words&) {
  std::abort();
}

int print_environment(const Words&) {
  for (char** variable = environ; *variable != nullptr; ++variable) std::puts(*variable);
  return 0;
}

int print_descriptors(const Words&) {
  for (int fd = 0; fd < 1024; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) std::printf("%d ", fd);
  }
  return 0;
}

// What it was passed as descriptor 3, and whether standard input is empty.
int read_descriptors(const Words&) {
  char byte = 0;
  const ssize_t from_input = read(0, &byte, 1);
  char text[64] = {};
  const ssize_t from_passed = read(3, text, sizeof text - 1);
  std::printf("stdin %zd, fd 3 %zd %s", from_input, from_passed, text);
  return 0;
}

// Blocked and ignored signals, CPUs, the folder, core dumps, session: what it inherited.
int print_state(const Words&) {
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  int blocked_count = 0, ignored_count = 0;
  for (int signal = 1; signal < 32; ++signal) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    blocked_count += sigismember(&blocked, signal) == 1;
    ignored_count += action.sa_handler == SIG_IGN;
  }
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  char folder[4096];
  std::printf("blocked %d, ignored %d, cpus %d, core %d, folder %s\n", blocked_count, ignored_count,
              CPU_COUNT(&cpus), static_cast<int>(core.rlim_max), getcwd(folder, sizeof folder));
  return 0;
}

// The user and group (effective and saved ones, too), how many other groups, and the privileges.
int print_identity(const Words&) {
  uid_t user, effective_user, saved_user;
  gid_t group, effective_group, saved_group;
  getresuid(&user, &effective_user, &saved_user);
  getresgid(&group, &effective_group, &saved_group);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  syscall(SYS_capget, &header, data);
  const uint32_t any = data[0].effective | data[0].permitted | data[0].inheritable |
                       data[1].effective | data[1].permitted | data[1].inheritable;
  const bool one = user == effective_user && user == saved_user && group == effective_group &&
                   group == saved_group;
  std::printf("user %u group %u of %d%s\n", user, group, getgroups(0, nullptr),
              one ? "" : ", and others");
  std::printf("capabilities %s\n", any == 0 ? "none" : "some");
  return 0;
}

// What honest student code does: threads, memory, streams, time, exceptions.
int work_honestly(const Words&) {
  std::vector<double> sums(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < sums.size(); ++t) {
    threads.emplace_back([&sums, t] {
      std::vector<double> values(1 << 20, 0.5);
      for (const double value : values) sums[t] += value;
    });
  }
  for (auto& thread : threads) thread.join();
  try {
    throw std::runtime_error("caught");
  } catch (const std::runtime_error& error) {
    std::cout << error.what() << ' ';
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::printf("%.0f of %u", sums[0] + sums[1] + sums[2] + sums[3],
              std::thread::hardware_concurrency() > 0 ? 4u : 0u);
  return std::fflush(stdout);
}

int pin_to_all(const Words&) {
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  return done_or_errno(sched_setaffinity(0, sizeof all, &all) == 0);
}

int raise_limit(const Words&) {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  return done_or_errno(setrlimit(RLIMIT_CORE, &none) == 0);
}

int leave_group(const Words&) {
  return done_or_errno(setsid() >= 0);
}

int own_namespace(const Words&) {
  return done_or_errno(unshare(CLONE_NEWUSER) == 0);
}

int call_number(const Words& words) {
  return done_or_errno(syscall(std::stol(words[1]), 0, 0, 0, 0, 0, 0) >= 0);
}

const std::map<std::string, int (*)(const Words&)> kDeeds = {
    {"abort", abort_now},
    {"allocate", allocate},
    {"call", call_number},
    {"close", close_everything},
    {"clone", raw_clone},
    {"connect", connect_to},
    {"daemon", leave_daemon},
    {"descriptors", print_descriptors},
    {"environment", print_environment},
    {"exec", execute},
    {"exit", exit_with},
    {"fork", fork_once},
    {"fork-bomb", fork_bomb},
    {"fork-when-gone", fork_when_gone},
    {"grow", grow_file},
    {"hold", hold},
    {"identity", print_identity},
    {"honest", work_honestly},
    {"kill-parent", kill_parent},
    {"list", list_folder},
    {"loop", loop},
    {"loop-on", loop_through_signals},
    {"namespace", own_namespace},
    {"orphan", leave_orphan},
    {"overflow", overflow_stack},
    {"passed", read_descriptors},
    {"pin", pin_to_all},
    {"print", print_without_end},
    {"raise", raise_signal},
    {"raise-limit", raise_limit},
    {"read", read_file},
    {"remove", remove_file},
    {"session", leave_group},
    {"signal", signal_process},
    {"sleep", sleep_long},
    {"socket", make_socket},
    {"state", print_state},
    {"touch", touch},
    {"trace", trace},
    {"write", write_file},
};

void name_trapped_call(int, siginfo_t* info, void*) {
  // Not safe in a signal handler in general; here nothing else is running.
  std::printf("trapped %s", convkit::system_call_name(info->si_syscall).c_str());
  std::fflush(stdout);
  _exit(0);
}

bool lock_down_as_told(Words& words) {
  convkit::LockdownOptions options;
  if (words[0] == "--locked-gpu")
    options.gpu = true;
  else if (words[0] == "--locked-sanitizer")
    options.sanitizer = true;
  else if (words[0] != "--locked")
    return true;
  words.erase(words.begin());
  struct sigaction action {};
  action.sa_sigaction = name_trapped_call;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  const std::string failure = convkit::lock_down(options);
  std::fputs(failure.c_str(), stdout);
  return failure.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  if (words.empty() || !lock_down_as_told(words) || words.empty()) return 126;
  const auto deed = kDeeds.find(words[0]);
  if (deed == kDeeds.end()) return 126;
  return deed->second(words);
}

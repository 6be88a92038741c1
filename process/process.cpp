// SPDX-License-Identifier: MIT
#include "process/process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>

#include "process/channels.h"
#include "process/file_descriptor.h"
#include "process/footprint.h"
#include "process/interrupt.h"
#include "process/own_time.h"
#include "process/process_family.h"
#include "process/resource_limits.h"
#include "process/spawn.h"

namespace convkit {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long convkit-confine may take to build the sandbox, and to report once told to end.
constexpr auto kStartPatience = std::chrono::seconds(10);
constexpr auto kReportPatience = milliseconds(500);
// How often the end is looked for on kernels without pidfd_open (before 5.3).
constexpr auto kPidfdSubstitute = milliseconds(2);
// How often memory is looked at: a processor fills some 100 MiB meanwhile.
constexpr auto kMemoryInterval = milliseconds(25);
// Of output that is cut: what a program says last tells why it ended.
constexpr size_t kLastBytes = 2048;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

struct Process::State {
  Limits limits;
  pid_t pid = -1;
  FileDescriptor pidfd, output_pipe, channel;
  Clock::time_point started;
  std::optional<OwnTime> own;  // where it is limited
  Clock::time_point next_look_at_memory;
  bool running = false;
  std::optional<Ending::Kind> cut_short;
  Ending ending;
  std::string output, last_output;
  bool truncated = false;
  pid_t confine = -1;  // where a Command ends by it

  ~State() {
    if (running) end_now();
  }

  void start(const Command& command);
  void await_start(const Command& command);
  void read_output();
  void keep_last(const char* text, size_t size);
  void cut(Ending::Kind kind);
  bool ended(Clock::duration wait);
  void watch(Clock::duration wait, int also_fd);
  bool uses_too_much(bool at_once);
  void end_now();
  void reap();
};

void Process::State::start(const Command& command) {
  if (command.argv.empty()) {
    throw std::system_error(EINVAL, std::generic_category(),
                            "cannot start a command without a program");
  }
  ChannelEnds pipe = make_output_pipe();
  SpawnPlan plan;
  plan.program = find_program(command.argv[0]);
  plan.argv = command.argv;
  plan.environment = command.environment;
  plan.directory = command.directory;
  plan.fds = command.fds;
  plan.output_fd = pipe.theirs.get();
  plan.cpu = command.cpu;
  plan.dies_with_parent = !command.ends_by_confine;

  const bool confined = command.report_fd >= 0;
  ChannelEnds channel_ends;
  if (confined) {
    channel_ends = make_message_channel();
    plan.fds.push_back({channel_ends.theirs.get(), command.report_fd});
  } else {
    plan.limits = with_running_threads(limits, geteuid());
  }

  started = Clock::now();
  if (limits.own.count() > 0) own.emplace(limits.own, started, 0);
  pid = spawn(plan);
  running = true;
  pidfd = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  output_pipe = std::move(pipe.ours);
  channel = std::move(channel_ends.ours);
  channel_ends.theirs.reset();
  pipe.theirs.reset();
  if (confined) await_start(command);
}

void Process::State::await_start(const Command& command) {
  ConfineReport report;
  const bool reported = receive_report(channel.get(), report, started + kStartPatience);
  if (reported && report.kind == ConfineReport::Kind::started) {
    const std::vector<pid_t> family =
        command.ends_by_confine ? family_of(pid) : std::vector<pid_t>();
    if (family.size() > 1) confine = family[1];
    return;
  }
  read_output();
  const bool over = ended(kReportPatience);
  end_now();
  const std::string what = "cannot start " + command.confined_program;
  if (reported) {
    throw std::system_error(report.value, std::generic_category(), what + report.what);
  }
  // A sandbox that cannot be built exits. A signal came from inside: the program was already at it.
  if (over && ending.kind == Ending::Kind::signalled) return;
  if (over && ending.kind == Ending::Kind::exited && ending.code == 128 + SIGKILL) {
    throw std::system_error(EINTR, std::generic_category(), what + ": bubblewrap was killed");
  }
  while (!output.empty() && output.back() == '\n') output.pop_back();
  throw std::system_error(EPERM, std::generic_category(),
                          what + " in the sandbox (" + output + ")");
}

void Process::State::read_output() {
  std::array<char, 65536> buffer;
  while (output_pipe) {
    const ssize_t size = read(output_pipe.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return output_pipe.reset();
    auto kept = static_cast<size_t>(size);
    if (limits.output_bytes > 0) {
      kept = static_cast<size_t>(std::min<uint64_t>(kept, limits.output_bytes - output.size()));
    }
    output.append(buffer.data(), kept);
    if (kept == static_cast<size_t>(size)) continue;
    if (limits.cut_output) {
      keep_last(buffer.data() + kept, static_cast<size_t>(size) - kept);
    } else {
      truncated = true;
      // Nobody reads on: whoever still writes gets SIGPIPE, if the kill does not come first.
      output_pipe.reset();
    }
  }
}

void Process::State::keep_last(const char* text, size_t size) {
  last_output.append(text, size);
  if (last_output.size() > kLastBytes) last_output.erase(0, last_output.size() - kLastBytes);
}

// Ends the program for a reason of ours. A confined program is ended by convkit-confine, which can
// still tell the time and memory it used.
void Process::State::cut(Ending::Kind kind) {
  cut_short = kind;
  if (channel) {
    ::kill(-pid, SIGCONT);
    shutdown(channel.get(), SHUT_WR);
    const auto deadline = Clock::now() + kReportPatience;
    while (Clock::now() < deadline) {
      if (ended(milliseconds(50))) break;
      read_output();
    }
  }
  end_now();
}

bool Process::State::ended(Clock::duration wait) {
  if (pidfd) {
    pollfd fd{pidfd.get(), POLLIN, 0};
    return ::poll(&fd, 1, poll_timeout(wait)) > 0;
  }
  siginfo_t info{};
  const auto deadline = Clock::now() + wait;
  for (;;) {
    if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid) {
      return true;
    }
    if (Clock::now() >= deadline) return false;
    ::poll(nullptr, 0, poll_timeout(kPidfdSubstitute));
  }
}

// One round of waiting: output, limits, interrupt, end.
void Process::State::watch(Clock::duration wait, int also_fd) {
  // Messages and output wake us much more often than memory has to be looked at.
  const bool at_once = wait.count() == 0;
  const bool timed = limits.wall.count() > 0;
  const auto deadline = started + limits.wall;
  if (timed) wait = std::min(wait, deadline - Clock::now());
  if (!pidfd) wait = std::min<Clock::duration>(wait, kPidfdSubstitute);
  if (own) wait = std::min(wait, own->until_look(Clock::now()));
  if (limits.resident_bytes > 0) wait = std::min<Clock::duration>(wait, kMemoryInterval);
  // A descriptor of -1 is ignored by poll().
  std::array<pollfd, 4> fds{{{pidfd.get(), POLLIN, 0},
                             {output_pipe.get(), POLLIN, 0},
                             {also_fd, POLLIN, 0},
                             {interrupt_fd(), POLLIN, 0}}};
  ::poll(fds.data(), fds.size(), poll_timeout(wait));
  read_output();
  if (ended({})) return end_now();
  if (truncated) return cut(Ending::Kind::output_limit);
  if (interrupted()) return cut(Ending::Kind::interrupted);
  // Who waits for a descriptor may measure time: what was to be read comes first.
  const bool awaited = fds[2].revents != 0;
  if (!awaited && uses_too_much(at_once)) return cut(Ending::Kind::memory_limit);
  if (timed && Clock::now() >= deadline) return cut(Ending::Kind::wall_timeout);
  if (!own || own->until_look(Clock::now()).count() > 0) return;
  own->look_at_family(pid, Clock::now());
  if (own->used_up()) return cut(Ending::Kind::own_timeout);
  if (own->starved()) return cut(Ending::Kind::starved);
}

bool Process::State::uses_too_much(bool at_once) {
  if (limits.resident_bytes == 0 || (!at_once && Clock::now() < next_look_at_memory)) return false;
  next_look_at_memory = Clock::now() + kMemoryInterval;
  ending.memory_in_use = memory_in_use(pid);
  return ending.memory_in_use > limits.resident_bytes;
}

// First all remaining processes of the group are killed, then the leader is reaped: until then
// nobody else can get its number.
void Process::State::end_now() {
  ProcessFamily::kill_group(pid);
  reap();
  running = false;
  read_output();
  output_pipe.reset();
  if (!last_output.empty()) {
    // Whole lines only: what follows must not look like one.
    const size_t line = last_output.find('\n');
    output += "\n[The rest of the output was left out, but for its end:]\n";
    if (line != std::string::npos) output += last_output.substr(line + 1);
    last_output.clear();
  }
  channel.reset();
  ProcessFamily::instance().forget(pid);
}

void Process::State::reap() {
  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ending.wall_s = std::chrono::duration<double>(Clock::now() - started).count();
  ending.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  ending.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;

  ConfineReport report;
  if (channel && receive_report(channel.get(), report, Clock::now()) &&
      report.kind == ConfineReport::Kind::ended) {
    status = report.value;
    ending.cpu_s = 1e-6 * static_cast<double>(report.cpu_us);
    ending.peak_memory_bytes = static_cast<uint64_t>(report.peak_bytes);
  }
  if (own) {  // what it ran since the last look; all of it, where it was too short for one
    own->count(Clock::now(), true, ending.cpu_s);
    ending.own_s = own->used_s();
  }
  if (WIFEXITED(status)) {
    ending.kind = Ending::Kind::exited;
    ending.code = WEXITSTATUS(status);
  } else {
    ending.kind = Ending::Kind::signalled;
    ending.signal = WTERMSIG(status);
    // SIGKILL is what the kernel sends to a program that ignored SIGXCPU. It limits by ticks, each
    // charged to whoever runs when it comes, and reports by a precise clock: next to processes that
    // wake often, a program was charged for 1.6 times the time that was reported for it.
    const bool used_up =
        limits.cpu.count() > 0 && 2 * ending.cpu_s >= static_cast<double>(limits.cpu.count());
    if (ending.signal == SIGXCPU || (ending.signal == SIGKILL && used_up)) {
      ending.kind = Ending::Kind::cpu_timeout;
    }
  }
  if (truncated) cut_short = Ending::Kind::output_limit;
  if (cut_short) ending.kind = *cut_short;
}

std::vector<std::string> handed_on(std::initializer_list<const char*> names) {
  std::vector<std::string> result;
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) result.push_back(std::string(name) + "=" + value);
  }
  return result;
}

Process::Process(const Command& command, const Limits& limits) : state_(std::make_unique<State>()) {
  state_->limits = limits;
  state_->start(command);
}

Process::~Process() = default;

pid_t Process::pid() const {
  return state_->pid;
}
int Process::pidfd() const {
  return state_->pidfd.get();
}

bool Process::poll(milliseconds wait, int also_fd) {
  if (state_->running) state_->watch(wait, also_fd);
  return state_->running;
}

void Process::kill() {
  if (state_->running) state_->end_now();
}

void Process::stop() {
  if (!state_->running) return;
  ::kill(-state_->pid, SIGSTOP);
  if (state_->confine < 0) return;
  // Bubblewrap and convkit-confine go on: they end the program if this process dies meanwhile.
  ::kill(state_->confine, SIGCONT);
  ::kill(state_->pid, SIGCONT);
}

void Process::resume() {
  if (state_->running) ::kill(-state_->pid, SIGCONT);
}

const Ending& Process::wait() {
  while (poll(std::chrono::hours(1))) {
  }
  return state_->ending;
}

const std::string& Process::output() const {
  return state_->output;
}
bool Process::output_truncated() const {
  return state_->truncated;
}

Completed run_process(const Command& command, const Limits& limits) {
  Process process(command, limits);
  Completed result;
  result.ending = process.wait();
  result.output = process.output();
  return result;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Starting, watching and ending a child process. Linux only; this is the one place that knows.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace convkit {

// Zero means "no limit".
struct Limits {
  std::chrono::milliseconds wall{0};
  // What the process and all that descend from it could use of the processors (own_time.h).
  std::chrono::milliseconds own{0};
  std::chrono::seconds cpu{0};  // of each process
  uint64_t memory_bytes = 0;    // address space
  uint64_t resident_bytes = 0;  // memory in use by the process and its children, looked at now and
                                // then: where much more is reserved than used
  uint64_t file_bytes = 0;      // size of any file written
  unsigned processes = 0;       // of this user; not enforced by the kernel for root
  unsigned open_files = 0;
  uint64_t stack_bytes = 0;
  uint64_t output_bytes = 1 << 20;  // of stdout and stderr together; more ends the process ...
  bool cut_output = false;          // ... or, with this, is left out but for its last lines
};

// How a process ended, as the grader saw it.
struct Ending {
  enum class Kind {
    exited,        // `code` is the exit status
    signalled,     // `signal` killed it
    wall_timeout,  // the grader killed it
    own_timeout,   // the same, for Limits::own
    starved,       // the same, because other programs had the processors (own_time.h)
    cpu_timeout,
    output_limit,  // it printed more than Limits::output_bytes
    memory_limit,  // it used more than Limits::resident_bytes
    interrupted,   // the user pressed Ctrl-C
  };
  Kind kind = Kind::exited;
  int code = 0;
  int signal = 0;
  double wall_s = 0;
  double cpu_s = 0;                // with the children it waited for
  double own_s = 0;                // of Limits::own; 0 without that limit
  uint64_t memory_in_use = 0;      // of memory_limit: what was found
  uint64_t peak_memory_bytes = 0;  // resident, of the largest of them. Exact for confined programs;
                                   // others count what this process had resident at the fork, too
};

// A file descriptor that the child keeps, under the number it shall have there.
struct PassedFd {
  int fd;        // in this process
  int child_fd;  // in the child, >= 3
};

// "NAME=value" of those that are set in this process, for Command::environment.
std::vector<std::string> handed_on(std::initializer_list<const char*> names);

struct Command {
  std::vector<std::string> argv;         // argv[0] is a path, or a name looked up on PATH
  std::vector<std::string> environment;  // "NAME=value"; nothing else is inherited
  std::filesystem::path directory;       // working directory; empty: this one
  std::vector<PassedFd> fds;
  int cpu = -1;  // pin to this CPU; -1: all

  // Set by confined(): the descriptor under which convkit-confine reports (see channels.h),
  // and the program's own name for messages. The resource limits are then convkit-confine's to set.
  int report_fd = -1;
  std::string confined_program;
  // Set by confined() with bubblewrap: not the death of this process ends it, but convkit-confine,
  // which finds out (see bubblewrap_arguments).
  bool ends_by_confine = false;
};

// A running child in a process group of its own. The child dies with this process; the destructor
// kills the whole group and reaps it. Standard input is empty, stdout and stderr are captured
// together (the first Limits::output_bytes of them).
class Process {
 public:
  // Returns when the program itself has started. Throws std::system_error naming it if it cannot.
  Process(const Command& command, const Limits& limits);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const;
  int pidfd() const;  // readable when the process has ended

  // Reads pending output and notices the end and the limits, waiting at most `wait` (or until
  // `also_fd`, if given, is readable). Returns true while the process runs. The memory in use is
  // looked at every 25 ms, and at once if `wait` is 0.
  bool poll(std::chrono::milliseconds wait, int also_fd = -1);
  void kill();  // the whole group, at once; wait() tells `signalled` by SIGKILL
  void stop();  // SIGSTOP / SIGCONT to the whole group
  void resume();
  const Ending& wait();  // until the end; enforces the limits
  const std::string& output() const;
  bool output_truncated() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Completed {
  Ending ending;
  std::string output;
};

// Runs to the end.
Completed run_process(const Command& command, const Limits& limits);

// Ctrl-C: the handler only sets a flag; every Process notices it in poll() and wait() and ends its
// child with Ending::Kind::interrupted.
void install_interrupt_handler();
bool interrupted();

}  // namespace convkit

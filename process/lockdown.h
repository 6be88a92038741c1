// SPDX-License-Identifier: MIT
// Called by the runner itself, before any student code is loaded: from here on no new process, no
// exec, no network, no ptrace, no file opened for writing. Linked into runners; depends on nothing
// else of the grader.
#pragma once

#include <string>

namespace convkit {

struct LockdownOptions {
  bool gpu = false;  // a real GPU's driver needs more (device files, its own threads)
  // `check --sanitize`, on the student's own machine: a sanitizer starts a symbolizer and, to look
  // for leaks, traces its own threads.
  bool sanitizer = false;
};

// Returns an empty string, or why no filter could be installed (the runner then goes on; the
// grader knows from its own probe). A refused call that only an attack or a misunderstanding makes
// (fork, exec, socket, kill, ptrace, ...) raises SIGSYS with the system call's number in
// siginfo_t::si_syscall; harmless ones fail with EPERM, and unknown ones with ENOSYS, as on an
// older kernel. Threads, memory, time, reading files, and what is open already keep working,
// abort() and raise() too. The process must not be a fork of the one that called this: signals to
// itself are recognised by its number.
std::string lock_down(const LockdownOptions& options);

// Before lock_down(), where Landlock is there: from here on this process opens no file but
// `readable` and a few harmless devices. Libraries that are loaded stay; no other can be loaded,
// so a submission has the C and C++ libraries and nothing else. Returns whether it is in force.
bool open_nothing_but(const std::string& readable);

// The name of a system call, for messages: "fork", "socket", or "system call 123".
std::string system_call_name(int number);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Called by the runner itself, before any student code is loaded: from here on no new process, no
// exec, no network, no ptrace. Linked into runners; depends on nothing else of the grader.
#pragma once

#include <string>

namespace convkit {

struct LockdownOptions {
  bool gpu = false;  // a real GPU's driver needs more (device files, its own threads)
};

// Returns an empty string, or why no filter could be installed (the runner then goes on; the
// grader knows from its own probe). A refused call that only an attack or a misunderstanding makes
// (fork, exec, socket, kill, ptrace, ...) raises SIGSYS with the system call's number in
// siginfo_t::si_syscall; harmless ones fail with EPERM.
std::string lock_down(const LockdownOptions& options);

// The name of a system call, for messages: "fork", "socket", or "system call 123".
std::string system_call_name(int number);

}  // namespace convkit

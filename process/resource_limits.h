// SPDX-License-Identifier: MIT
// The part of Limits that the kernel enforces (setrlimit).
#pragma once

#include <cstdint>

#include "process/process.h"

namespace convkit {

// Lowers this process's resource limits for what it will exec; core dumps are switched off. Called
// between fork and exec: makes system calls only. A limit the kernel refuses is left as it was.
void apply_resource_limits(const Limits& limits) noexcept;

// The kernel counts all threads of the user against RLIMIT_NPROC, also those of other programs. So
// that `limits.processes` means what it says, this adds the threads the user has now: all that
// there is to count for a user of its own (sandbox_user.h). Those of another program that starts
// later use it up. Root has no such limit.
Limits with_running_threads(Limits limits, uid_t user);

// A limit on memory in use, or what CONVKIT_MEMORY_MIB says where that is less: a container may
// have less memory than stages allow, and where it runs out the kernel may end the grader instead
// of the submission. What is no positive integer is no limit.
uint64_t memory_of_machine(uint64_t limit_bytes) noexcept;

}  // namespace convkit

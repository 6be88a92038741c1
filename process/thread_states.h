// SPDX-License-Identifier: MIT
// What the kernel says of another process's threads.
#pragma once

#include <sys/types.h>

namespace convkit {

// Whether no thread of the process can run before it is continued: each is stopped, or has ended.
// SIGSTOP alone does not say so: it stops a process when one of its threads gets to run and takes
// it. True where there is no such process.
bool stands_still(pid_t process);

// Seconds that all its threads together have run so far; 0 where there is no such process.
double processor_time_s(pid_t process);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// What a running process holds, as the kernel tells it to others: the process has no say in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace convkit {

struct Footprint {
  unsigned threads = 0;
  unsigned descriptors = 0;  // open; 0 where nobody else may look
  // Bytes that only this process can write. Not its whole address space: that grows by 64 MiB that
  // nobody uses with the first allocation of every thread.
  uint64_t memory = 0;
  uint64_t resident = 0;  // bytes of it that are there, or swapped out
};

// The program in a sandbox: the only child of the only child of `pid`, and so on. It starts no
// processes itself. `pid` where there are no children, or where the kernel does not name them.
pid_t innermost_child(pid_t pid);

// Nothing where the process has ended.
std::optional<Footprint> footprint_of(pid_t pid);

// `pid` and all that descend from it; `pid` alone where the kernel does not name children.
std::vector<pid_t> family_of(pid_t pid);

// Bytes that the family of `pid` uses: resident or swapped out, shared memory included, files not.
uint64_t memory_in_use(pid_t pid);

// Seconds that the threads of these processes have run so far, and those of their children that
// have ended and were waited for. In ticks of 10 ms for each process.
double family_processor_time_s(const std::vector<pid_t>& family);

// Seconds that all its threads together have run so far; 0 where there is no such process.
double processor_time_s(pid_t pid);

// One of its threads runs, or waits for nothing but a processor.
bool can_run(pid_t pid);

// Every thread has taken notice of SIGSTOP, or has ended.
bool stands_still(pid_t pid);

}  // namespace convkit

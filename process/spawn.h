// SPDX-License-Identifier: MIT
// fork and exec, for a parent with many threads.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "process/process.h"

namespace convkit {

// The file that `name` means: itself if it has a slash, otherwise the first executable of that name
// on this process's PATH. Throws std::system_error naming it.
std::filesystem::path find_program(const std::string& name);

// Everything between fork and exec, prepared before the fork, where memory may still be allocated.
struct SpawnPlan {
  std::filesystem::path program;
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::filesystem::path directory;
  std::vector<PassedFd> fds;
  int output_fd = -1;  // becomes the child's stdout and stderr
  int cpu = -1;
  bool dies_with_parent = true;
  Limits limits;
};

// Starts the program as leader of a new session, by default dying with this process, with default
// signal handling, an empty standard input and no other descriptors than those named. Returns after
// exec has succeeded; throws std::system_error naming the program and what failed.
pid_t spawn(const SpawnPlan& plan);

// In a freshly forked child: the descriptors of `fds` get their numbers, all others from 3 on are
// closed on exec. Makes system calls only; returns false and sets errno on failure.
bool arrange_descriptors(const PassedFd* fds, size_t count) noexcept;

// Closes every descriptor from 3 on but `kept`.
void close_all_but(int kept) noexcept;

// In a freshly forked child: die when `parent`, which called fork, does. False if it is dead.
bool die_with(pid_t parent) noexcept;

// Default dispositions for all signals, and none blocked.
void reset_signals() noexcept;

}  // namespace convkit

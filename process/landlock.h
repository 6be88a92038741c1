// SPDX-License-Identifier: MIT
// Landlock: a process gives up its rights to files, TCP ports and signals, for itself and all it
// will start. System calls made directly: the C library of older distributions has no header.
#pragma once

#include <string>
#include <vector>

namespace convkit {

// The actions that are allowed below a path.
struct PathRule {
  enum Access : unsigned { read = 1, execute = 2, write = 4, device = 8, list = 16 };
  std::string path;
  unsigned access = read;
};

// The kernel's Landlock version (1 to 7 and later); 0, with errno set, where there is none.
int landlock_abi();

// From here on only what `rules` grant, no TCP from ABI 4 on, and no signals or abstract sockets
// beyond this process's descendants from ABI 6 on. Paths that do not exist are left out. Needs
// no_new_privs. Returns whether it is in force.
bool restrict_by_landlock(const std::vector<PathRule>& rules);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The command line of bubblewrap: namespaces with a minimal, read-only view of the machine.
#pragma once

#include <string>
#include <vector>

#include "process/confine_options.h"

namespace convkit {

// Everything before the program: a new process table, network, System V IPC, host name and file
// tree, in which the paths of `options` and `confine` are where they are outside, and the working
// directory is `directory`. Descriptors survive; the program is the namespace's init.
std::vector<std::string> bubblewrap_arguments(const std::string& bwrap,
                                              const ConfineOptions& options,
                                              const std::string& confine,
                                              const std::string& directory);

}  // namespace convkit

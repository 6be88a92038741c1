// SPDX-License-Identifier: MIT
// What a child process may touch. Layers, weakest first: resource limits, Landlock (files, TCP,
// signals), seccomp (system calls), bubblewrap (namespaces). Each is probed by doing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "process/process.h"

namespace convkit {

struct Confinement {
  enum class Profile {
    compiler,  // may start processes and execute what it may read
    runner,    // may execute only `executable`; afterwards it locks itself down (see lockdown.h)
  };
  Profile profile = Profile::runner;
  std::filesystem::path executable;
  std::vector<std::filesystem::path> read_only;   // files or folders; system libraries are implied
  std::vector<std::filesystem::path> read_write;
};

struct SandboxProbe {
  int landlock_abi = 0;      // 0: not available
  bool seccomp = false;
  bool bubblewrap = false;
  std::vector<std::string> missing;  // one sentence for each layer that is not available, with why
  // "bubblewrap + Landlock (ABI 7) + seccomp + resource limits"
  std::string description() const;
};

// Tries every layer once (a child attempts what must be refused) and remembers the answer.
// CONVKIT_SANDBOX=none|limits|landlock|seccomp|bubblewrap caps the strongest layer used, for tests.
const SandboxProbe& probe_sandbox();

// `command` rewritten so that it runs under `convkit-confine` (and bubblewrap where that works)
// with these limits and this confinement. `confine` is the path of the convkit-confine executable.
Command confined(const Command& command, const Confinement& confinement, const Limits& limits,
                 const std::filesystem::path& confine);

}  // namespace convkit

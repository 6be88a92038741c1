// SPDX-License-Identifier: MIT
// What a child process may access. Layers, weakest first: resource limits, Landlock (files, TCP,
// signals), seccomp (system calls), bubblewrap (namespaces). Where the grader is root, the child is
// an unused user. The probe tries each of them.
#pragma once

#include <filesystem>
#include <stdexcept>
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
  std::filesystem::path executable;              // empty: the command's program
  std::vector<std::filesystem::path> read_only;  // files or folders; system libraries are implied
  std::vector<std::filesystem::path> read_write;
  std::vector<std::filesystem::path> devices;  // of a GPU
  // A folder that is no part of the system even if it lies in it, as the kit in /usr/lib/convkit:
  // nothing in it may be read but what the other members name. An absolute path without links.
  std::filesystem::path hidden;
};

struct SandboxProbe {
  bool limits = true;
  int landlock_abi = 0;  // 0: not available
  bool seccomp = false;
  bool bubblewrap = false;
  bool user = false;                 // root's children are another user's
  std::vector<std::string> missing;  // one sentence for each layer that is not available, with why
  // "bubblewrap + Landlock (ABI 7) + seccomp + resource limits", for root with " + own user"
  std::string description() const;
};

// The user has interrupted the trials: what a layer can do is not known.
struct InterruptedWhileProbing : std::runtime_error {
  InterruptedWhileProbing() : std::runtime_error("Interrupted.") {}
};

// Tries every layer once (a child attempts what must be refused) and remembers the answer of the
// first call. `confine` is the path of the convkit-confine executable.
// CONVKIT_SANDBOX=none|limits|landlock|seccomp|bubblewrap caps the strongest layer used, for tests;
// another word there is std::invalid_argument. A trial that a signal ends, or that hangs, is
// repeated, and then std::runtime_error: it must not pass for a layer that does not work. Throws
// InterruptedWhileProbing.
const SandboxProbe& probe_sandbox(const std::filesystem::path& confine);

// `command` rewritten so that it runs under `convkit-confine` (and bubblewrap where that works)
// with these limits and this confinement; give the same limits to Process. An empty working
// directory becomes the first read_write folder. Throws std::system_error if the program is not
// found.
Command confined(const Command& command, const Confinement& confinement, const Limits& limits,
                 const std::filesystem::path& confine);

}  // namespace convkit

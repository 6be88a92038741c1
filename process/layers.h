// SPDX-License-Identifier: MIT
// The layers of the sandbox, chosen one by one. The probe and the tests use this; everyone else
// calls confined(), which takes all that work.
#pragma once

#include "process/sandbox.h"

namespace convkit {

struct Layers {
  bool limits = false;
  bool landlock = false;
  bool seccomp = false;
  bool bubblewrap = false;
  bool user = false;  // one of its own; for root only (see sandbox_user.h)
};

// The layers the environment's CONVKIT_SANDBOX allows; all of them where it is not set. Throws
// std::invalid_argument for any other word.
Layers allowed_layers();

// Tries every layer, at every call (see probe_sandbox).
SandboxProbe try_layers(const std::filesystem::path& confine);

Command confined_by(const Layers& layers, const Command& command, const Confinement& confinement,
                    const Limits& limits, const std::filesystem::path& confine);

}  // namespace convkit

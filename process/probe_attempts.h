// SPDX-License-Identifier: MIT
// The forbidden actions that the probe tries inside a sandbox, to see that they are refused.
#pragma once

namespace convkit {

// The outcome is an exit code made of these bits, so that it needs no working output.
enum Attempt : int {
  kReadOutside = 1,   // a file that nothing granted (kFileOutside) could be opened
  kOpenedSocket = 2,  // a network socket could be created
  kSawOthers = 4,     // the process table shows more than this sandbox
  kIsRoot = 8,        // it runs as root
  kAttempted = 64,    // always set: tells the outcome from a failure to start
};

inline constexpr const char* kFileOutside = "/etc/passwd";

int attempt_what_is_refused();

}  // namespace convkit

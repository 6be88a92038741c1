// SPDX-License-Identifier: MIT
// The messages of convkit-confine to the grader about the program that it runs; convkit-confine
// stays outside the confinement. Records on a SOCK_SEQPACKET socket; the grader ends the program by
// shutting down its side.
#pragma once

#include <cstdint>

namespace convkit {

struct ConfineReport {
  enum class Kind : int32_t { failed = 1, started, ended };

  Kind kind = Kind::failed;
  int32_t value = 0;       // failed: errno; ended: the status as wait4() gives it
  int64_t cpu_us = 0;      // of the program and the children it waited for
  int64_t peak_bytes = 0;  // largest resident size of any of them
  char what[240] = {};     // failed: what
};

}  // namespace convkit

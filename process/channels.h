// SPDX-License-Identifier: MIT
// The connections to a child: the pipe of its output, and a socket for messages, such as those of
// convkit-confine.
#pragma once

#include <chrono>
#include <cstdint>

#include "process/file_descriptor.h"

namespace convkit {

// The messages of convkit-confine to the grader about the program that it runs; convkit-confine
// stays outside the confinement. Records on a SOCK_SEQPACKET socket; the grader ends the program by
// shutting down its side.
struct ConfineReport {
  enum class Kind : int32_t { failed = 1, started, ended };

  Kind kind = Kind::failed;
  int32_t value = 0;       // failed: errno; ended: the status as wait4() gives it
  int64_t cpu_us = 0;      // of the program and the children it waited for
  int64_t peak_bytes = 0;  // largest resident size of any of them
  char what[240] = {};     // failed: what
};

struct ChannelEnds {
  FileDescriptor ours, theirs;  // closed on exec
};

// Both throw std::system_error. Our end of the output pipe does not block. A message channel
// (SOCK_SEQPACKET) goes both ways and keeps messages apart.
ChannelEnds make_output_pipe();
ChannelEnds make_message_channel();

// False if the other side is gone or says nothing until the deadline.
bool receive_report(int channel, ConfineReport& report,
                    std::chrono::steady_clock::time_point deadline);

// For poll(): whole milliseconds, rounded up, as waking just before a deadline would spin.
int poll_timeout(std::chrono::steady_clock::duration left);

}  // namespace convkit

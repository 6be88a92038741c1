// SPDX-License-Identifier: MIT
// The connections to a child: the pipe of its output, and a socket for messages, such as those of
// convkit-confine.
#pragma once

#include <chrono>

#include "process/confine_report.h"
#include "process/file_descriptor.h"

namespace convkit {

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

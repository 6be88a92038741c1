// SPDX-License-Identifier: MIT
// The connections to a child: the pipe of its output, and the socket on which convkit-confine
// reports.
#pragma once

#include <chrono>

#include "process/confine_report.h"
#include "process/file_descriptor.h"

namespace convkit {

struct ChannelEnds {
  FileDescriptor ours, theirs;  // closed on exec
};

// Both throw std::system_error. Our end of the output pipe does not block.
ChannelEnds make_output_pipe();
ChannelEnds make_report_channel();

// False if the other side is gone or says nothing until the deadline.
bool receive_report(int channel, ConfineReport& report,
                    std::chrono::steady_clock::time_point deadline);

// For poll(): whole milliseconds, rounded up, as waking just before a deadline would spin.
int poll_timeout(std::chrono::steady_clock::duration left);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Launches, copies and uses of destroyed descriptors that were refused, until the program reads the
// error.
#pragma once

#include <string>

#include "simt/launch.h"

namespace convkit::simt::check {

void launch_was_refused(cudaError_t error, const std::string& kernel,
                        const ConvkitSimtLaunch& launch);
// The reason is that of convkit_simt_why_refused().
void call_was_refused(const char* reason, const std::string& status);
void errors_were_read();
// "The launch of add at warm_up.cu:19 was refused with ...: ...", while nobody has read the error;
// else "".
std::string unread_launch_error();
// At the program's end.
void report_launch_error();
// A note, where the program ends as if nothing were wrong: whether it has looked at what the call
// returned is not seen.
void note_refused_call();

}  // namespace convkit::simt::check

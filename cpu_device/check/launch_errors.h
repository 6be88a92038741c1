// SPDX-License-Identifier: MIT
// Launches that were refused, until the program reads the error.
#pragma once

#include <string>

#include "simt/launch.h"

namespace convkit::simt::check {

void launch_was_refused(cudaError_t error, const std::string& kernel,
                        const ConvkitSimtLaunch& launch);
void errors_were_read();
// "The launch of add at warm_up.cu:19 was refused with ...: ...", while nobody has read the error;
// else "".
std::string unread_launch_error();
// At the program's end.
void report_launch_error();

}  // namespace convkit::simt::check

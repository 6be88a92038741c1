// SPDX-License-Identifier: MIT
// Which device a host thread has chosen. All of them are this computer: they share the memory and
// the streams, so programs for several devices run, and what one of them may not reach is not told.
#pragma once

#include <string>

namespace convkit::simt {

int device_count();
bool is_device(int device);

// Of the calling host thread; 0 until it chooses another.
int current_device();
void set_current_device(int device);

// "device is 3; there are 2 devices, numbers 0 to 1"
std::string no_device_text(const char* argument, int device);

}  // namespace convkit::simt

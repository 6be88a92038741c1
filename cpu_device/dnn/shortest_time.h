// SPDX-License-Identifier: MIT
// How long the library took at least. A time that a program measured around a convolution is never
// shorter, however busy the machine is.
#pragma once

#include "cpu_device/engine/library_call.h"

// The milliseconds of the shortest forward convolution since the last call of this function, or 0
// if there was none. Programs that may run without the library look for it.
extern "C" CONVKIT_SIMT_EXPORT double convkit_simt_dnn_shortest_forward_ms();

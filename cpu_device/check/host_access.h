// SPDX-License-Identifier: MIT
// Host code of the same source is instrumented, too: it must not follow device pointers.
#pragma once

#include "cpu_device/check/judge.h"

namespace convkit::simt::check {

void judge_host_access(const Access& access);

// The range of device memory; known from the first allocation on.
void know_device_range();

}  // namespace convkit::simt::check

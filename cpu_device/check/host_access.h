// SPDX-License-Identifier: MIT
// Host code of the same source is instrumented, too: it must not follow device pointers, nor touch
// what the device uses at the same time.
#pragma once

#include "cpu_device/check/judge.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

void judge_host_access(const Access& access);

// The range of device memory; known from the first allocation on.
void know_device_range();
// An allocation has been made, or freed.
void know_pinned(const Allocation& allocation);
void forget_pinned(const Allocation& allocation);
// CheckHooks::managed_variables.
bool know_managed_variables(void* begin, size_t bytes);

}  // namespace convkit::simt::check

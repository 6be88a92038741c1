// SPDX-License-Identifier: MIT
// Indices beyond arrays of known size. The compiler says that one is coming (-fsanitize=bounds),
// but not of which array; the access that follows has the address. So an element past the end of a
// shared array is seen although another array lies there.
//
// An index beyond a row that stays inside its array (`tile[0][i]` for all of `tile`) is let pass.
#pragma once

#include <cstdint>

#include "cpu_device/check/judge.h"

namespace convkit::simt::check {

// Called before the access, in kernels.
void expect_overrun(int64_t index, uint64_t count);

// Is this the access? Stops the kernel then.
void look_for_overrun(const Access& access);

}  // namespace convkit::simt::check

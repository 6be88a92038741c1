// SPDX-License-Identifier: MIT
// Reports of accesses that end the launch.
//
// Indices beyond arrays of known size. The compiler says that one is coming (-fsanitize=bounds),
// but not of which array; the access that follows has the address. So an element past the end of a
// shared array is seen although another array lies there.
//
// An index beyond a row that stays inside its array (`tile[0][i]` for all of `tile`) is let pass.
#pragma once

#include <cstdint>
#include <string>

#include "cpu_device/check/judge.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/source_lines.h"

namespace convkit::simt::check {

// The access touches `at`, which is not allowed: it is outside of `place`, or no memory is there.
[[noreturn]] void stop_outside(const Access& access, uintptr_t at, const Place& place);

// The address is not a multiple of what its type needs. `type` as the compiler spells it.
[[noreturn]] void stop_misaligned(
    uintptr_t at, const std::string& type, size_t alignment, const SourceLine& line,
    const char* advice =
        "A GPU faults here. Begin at a multiple of the type's size, or access single elements.");

// Called before the access, in kernels.
void expect_overrun(int64_t index, uint64_t count);

// Is this the access? Stops the kernel then.
void look_for_overrun(const Access& access);

}  // namespace convkit::simt::check

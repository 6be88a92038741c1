// SPDX-License-Identifier: MIT
// Reports of accesses that end the launch.
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

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
// Debug information, as the compiler's own library reads it.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu_device/check/source_lines.h"

namespace convkit::simt::check {

// The lines of an instruction: the innermost inlined function's first, then those it was inlined
// into. Empty where there is no debug information.
std::vector<SourceLine> debug_lines(uintptr_t pc);

}  // namespace convkit::simt::check

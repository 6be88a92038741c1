// SPDX-License-Identifier: MIT
// An output that a grid does not cover.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::simt::check {

// See convkit_simt_check_coverage() in start_over.h.
void report_not_covered(uintptr_t begin, const unsigned char* copy, size_t bytes,
                        uint32_t unwritten);

}  // namespace convkit::simt::check

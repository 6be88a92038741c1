// SPDX-License-Identifier: MIT
// What fresh memory of a kernel holds.
#pragma once

namespace convkit::simt {

// Each byte of memory nobody has written: no zeros by accident, and floats are NaN.
inline constexpr int kPoison = 0xff;

}  // namespace convkit::simt

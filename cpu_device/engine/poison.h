// SPDX-License-Identifier: MIT
// The contents of fresh memory of a kernel.
#pragma once

namespace convkit::simt {

// Each byte of unwritten memory has this value, unless settings.h says another: it is not zero, and
// floats are NaN.
inline constexpr unsigned char kPoison = 0xff;

}  // namespace convkit::simt

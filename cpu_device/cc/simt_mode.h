// SPDX-License-Identifier: MIT
// What watches a program on the CPU device.
#pragma once

namespace convkit {

enum class SimtMode {
  plain,
  check,    // finds races, accesses outside of memory and barriers that not all threads reach
  profile,  // counts what a profiler of a GPU would count
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The floating-point operations of a kernel by line of the source.
#pragma once

#include <string>
#include <vector>

#include "cpu_device/profile/program_profile.h"

namespace convkit::simt::profile {

struct KernelArithmetic {
  std::vector<ArithmeticLine> lines;  // a line may come more than once
  std::string unknown;                // why they are not known: a sentence; or ""
};

// Reads the machine code of the program and its libraries with objdump (binutils), which the
// compiler needs, too.
KernelArithmetic arithmetic_of(const KernelProfile& kernel);

}  // namespace convkit::simt::profile

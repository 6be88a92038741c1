// SPDX-License-Identifier: MIT
// The floating-point operations of a kernel by line of the source, and the machine code that tells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/profile/machine_code.h"
#include "cpu_device/profile/program_profile.h"

namespace convkit::simt::profile {

struct KernelArithmetic {
  std::vector<ArithmeticLine> lines;  // a line may come more than once
  std::string unknown;                // why they are not known: a sentence; or ""
};

// Read once for each file, with objdump (binutils), which the compiler needs, too; nothing where it
// cannot be.
const std::optional<MachineCode>& machine_code_of(const check::LoadedObject& object);

KernelArithmetic arithmetic_of(const KernelProfile& kernel);

}  // namespace convkit::simt::profile

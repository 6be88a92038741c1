// SPDX-License-Identifier: MIT
// What nvcc says about the kernels that it has compiled, with -Xptxas -v.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace convkit {

struct KernelResources {
  unsigned registers = 0;      // of a thread
  uint64_t shared_bytes = 0;   // static ones, of a block
  uint64_t local_bytes = 0;    // local memory of a thread: arrays that are no registers, spills
  uint64_t spilled_bytes = 0;  // of these: stores of registers that did not suffice
};

// By unqualified_name(). Of several kernels of that name, such as the instances of a template, the
// most that one of them takes.
std::map<std::string, KernelResources> kernel_resources(const std::string& log);

// "blocked" of "tiles::blocked<4, Tile<8>>", and of the whole declaration that a symbol stands for.
std::string unqualified_name(const std::string& kernel);

}  // namespace convkit

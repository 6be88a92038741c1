// SPDX-License-Identifier: MIT
// Libraries that CUDA programs link.
#pragma once

#include <string>

namespace convkit {

// Libraries whose functions are in the CPU device itself, such as cudart.
bool is_cuda_runtime_library(const std::string& name);

// The library of the kit that replaces it on the CPU device; "" if there is none.
std::string stand_in_library(const std::string& name);

// Those that the CPU device does not have.
bool is_refused_library(const std::string& name);
std::string about_refused_library(const std::string& name);

}  // namespace convkit

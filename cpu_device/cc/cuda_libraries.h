// SPDX-License-Identifier: MIT
// Libraries that CUDA programs link, and what takes their place on the CPU device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// One of NVIDIA's that a stage may be linked with.
struct VendorLibrary {
  std::string name;      // "cublas", as in -lcublas
  std::string stand_in;  // "convkit_simt_cublas", of the CPU device
};

// Null where the CPU device has none of that name.
const VendorLibrary* find_vendor_library(std::string_view name);

std::vector<std::string> vendor_library_names();

// Libraries whose functions are in the CPU device itself, such as cudart.
bool is_cuda_runtime_library(const std::string& name);

// The library of the kit that replaces it on the CPU device; "" if there is none.
std::string stand_in_library(const std::string& name);

// Those that the CPU device does not have.
bool is_refused_library(const std::string& name);
std::string about_refused_library(const std::string& name);

}  // namespace convkit

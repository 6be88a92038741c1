// SPDX-License-Identifier: MIT
// NVIDIA's libraries that a stage may be linked with, and what takes their place on the CPU device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convkit {

struct VendorLibrary {
  std::string name;      // "cublas", as in -lcublas
  std::string stand_in;  // "convkit_simt_cublas", of the CPU device
};

// Null where the CPU device has none of that name.
const VendorLibrary* find_vendor_library(std::string_view name);

std::vector<std::string> vendor_library_names();

}  // namespace convkit

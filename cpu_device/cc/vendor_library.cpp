// SPDX-License-Identifier: MIT
#include "cpu_device/cc/vendor_library.h"

namespace convkit {
namespace {

const std::vector<VendorLibrary>& libraries() {
  static const std::vector<VendorLibrary> all = {{"cublas", "convkit_simt_cublas"},
                                                 {"cudnn", "convkit_simt_cudnn"},
                                                 {"curand", "convkit_simt_curand"}};
  return all;
}

}  // namespace

const VendorLibrary* find_vendor_library(std::string_view name) {
  for (const VendorLibrary& library : libraries()) {
    if (library.name == name) return &library;
  }
  return nullptr;
}

std::vector<std::string> vendor_library_names() {
  std::vector<std::string> names;
  for (const VendorLibrary& library : libraries()) names.push_back(library.name);
  return names;
}

}  // namespace convkit

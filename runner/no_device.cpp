// SPDX-License-Identifier: MIT
// For runners of CPU stages, in place of cuda_tensors.cpp.
#include "runner/device_tensors.h"

namespace convkit::runner {

std::unique_ptr<DeviceTensors> make_device_tensors() {
  return nullptr;
}

std::string start_device() {
  return "";
}

void tell_kinds_to(char*, size_t) {}

}  // namespace convkit::runner

// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/onednn.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace convkit::simt::dnn {
namespace {

OneDnn none() {
  return {[](Pass, const Convolution&) -> OneDnnPlan* { return nullptr; }, nullptr};
}

OneDnn find() {
#ifdef CONVKIT_ONEDNN_MODULE
  const char* wanted = std::getenv("CONVKIT_SIMT_ONEDNN");
  if (wanted && std::string(wanted) == "0") return none();
  // It is in the folder of this library.
  void* module = dlopen(CONVKIT_ONEDNN_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (!module) return none();
  const auto get = reinterpret_cast<GetOneDnn>(dlsym(module, kGetOneDnn));
  OneDnn found = none();
  if (get) get(&found);
  return found;
#else
  return none();
#endif
}

__attribute__((constructor)) void open() {
  onednn();
}

}  // namespace

const OneDnn& onednn() {
  static const OneDnn found = find();
  return found;
}

}  // namespace convkit::simt::dnn

// SPDX-License-Identifier: MIT
#include "cli/device_choice.h"

#include <algorithm>

namespace convkit {

void DeviceChoice::declare(const Options& options) {
  options
      .value("--device", device_,
             "for GPU stages: cpu (the kit's CPU device), gpu, or auto (a GPU if there is one)")
      .one_of({"auto", "cpu", "gpu"});
}

// A GPU is looked for only where a stage wants one: that takes a moment.
void DeviceChoice::apply(Kit& kit, const std::vector<std::string>& stages) const {
  const auto wants_gpu = [](const Stage& stage) { return stage.device == "gpu"; };
  const bool any = stages.empty() ? std::ranges::any_of(kit.stages, wants_gpu)
                                  : std::ranges::any_of(stages, [&](const std::string& name) {
                                      return wants_gpu(kit.stage(name));
                                    });
  if (any || device_ == "gpu") kit.use_device(device_);
}

}  // namespace convkit

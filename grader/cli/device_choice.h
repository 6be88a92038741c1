// SPDX-License-Identifier: MIT
// --device: what GPU stages run on.
#pragma once

#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "grade/kit.h"

namespace convkit {

class DeviceChoice {
 public:
  void declare(const Options& options);
  // Gives the kit the device that these stages (none: all) are to run on. Throws UsageError.
  void apply(Kit& kit, const std::vector<std::string>& stages) const;

 private:
  std::string device_ = "auto";
};

}  // namespace convkit

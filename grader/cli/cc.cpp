// SPDX-License-Identifier: MIT
// `cc`: compiles CUDA programs for the CPU device.
#include "cpu_device/cc/driver.h"

#include <cstdio>

#include "cli/commands.h"
#include "cpu_device/cc/object_cache.h"

namespace convkit {

int run_cc(const Kit& kit, const CcCommand& command) {
  const CcArguments arguments = read_cc_arguments(command.arguments);
  CcDriver driver(SimtKit::find(kit.root, kit.programs), Toolchain::find(),
                  ObjectCache::default_folder(), kit.version);
  const CcResult result = driver.run(arguments);
  std::fputs(result.messages.c_str(), stderr);
  std::fwrite(result.output.data(), 1, result.output.size(), stdout);
  return result.exit_code;
}

}  // namespace convkit

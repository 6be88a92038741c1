// SPDX-License-Identifier: MIT
// `cc`: compiles CUDA programs for the CPU device.
#include "cli/commands.h"
#include "cpu_device/cc/driver.h"
#include "cpu_device/cc/object_cache.h"

namespace convkit {
namespace {

class CcCommand final : public CliCommand {
 public:
  CcCommand()
      : CliCommand(
            "cc", "compile CUDA programs for the CPU, as nvcc does for a GPU",
            "./convkit cc prog.cu -o prog && ./prog\n"
            "Takes nvcc's options. Two more: --check (find races, bad accesses and barriers at "
            "run time), --profile (count memory requests by source line).") {}

  // Its options are nvcc's, and CLI11 would take -std for -s -t -d.
  bool reads_words(bool help) const override { return !help; }
  void read_words(const std::vector<std::string>& words) override { words_ = words; }

  int run(Kit& kit) override {
    const CcArguments arguments = read_cc_arguments(words_);
    CcDriver driver(SimtKit::find(kit.root, kit.programs), Toolchain::find(),
                    ObjectCache::default_folder(), kit.version);
    return print(driver.run(arguments));
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<CliCommand> cc_command() {
  return std::make_unique<CcCommand>();
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The commands that `convkit` of a checkout hands over to other programs, with the words behind
// their names. Not in packages.
#include "cli/commands.h"
#include "cli/handed_over.h"

namespace convkit {
namespace {

class HandedOverCommand final : public CliCommand {
 public:
  explicit HandedOverCommand(const HandedOver& command)
      : CliCommand(command.text), program_(command.program) {}

  bool reads_words(bool) const override { return true; }
  void read_words(const std::vector<std::string>& words) override { words_ = words; }
  int run(Kit& kit) override { hand_over(kit, program_, name(), words_); }

 private:
  const char* program_;
  std::vector<std::string> words_;
};

std::unique_ptr<CliCommand> handed_over(const HandedOver& command) {
  return std::make_unique<HandedOverCommand>(command);
}

}  // namespace

// The search for a change is in another program.
std::unique_ptr<CliCommand> check_command() {
  return check_command("check", nullptr);
}
std::unique_ptr<CliCommand> bench_command() {
  return handed_over(kBench);
}
std::unique_ptr<CliCommand> profile_command() {
  return handed_over(kProfile);
}
std::unique_ptr<CliCommand> predict_command() {
  return handed_over(kPredict);
}
std::unique_ptr<CliCommand> verify_command() {
  return handed_over(kVerify);
}
std::unique_ptr<CliCommand> pack_command() {
  return handed_over(kPack);
}
std::unique_ptr<CliCommand> new_stage_command() {
  return handed_over(kNewStage);
}
std::unique_ptr<CliCommand> new_case_command() {
  return handed_over(kNewCase);
}
std::unique_ptr<CliCommand> new_variant_command() {
  return handed_over(kNewVariant);
}

}  // namespace convkit

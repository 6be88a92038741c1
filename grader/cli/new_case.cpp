// SPDX-License-Identifier: MIT
// `new-case`: one more case of a stage.
#include "cli/commands.h"
#include "cli/handed_over.h"
#include "machine/console.h"
#include "skeleton/skeleton.h"

namespace convkit {
namespace {

class NewCaseCommand final : public CliCommand {
 public:
  NewCaseCommand() : CliCommand(kNewCase.text) {}

  void declare(const Options& options) override {
    options.value("stage", stage_, kStageHelp).required();
    options.value("name", name_, "the name of the new case").required();
    options.value("--op", op_, "copy a case of this operation (default: of any)");
  }
  int run(Kit& kit) override {
    kit.must_have_generator("new-case");
    const Stage& stage = kit.stage(stage_);
    const NewCase made = write_new_case(kit, stage, name_, op_);
    say("Appended {} to {}, with the params of {}.\n", name_,
        (stage.directory / "cases.toml").string(), made.original);
    if (!made.visible) {
      say("         It is in hidden sets only, as {} is; `visible = true` shows it to students.\n",
          made.original);
    }
    say("Next:    change its summary and params there, then run ./convkit refgen --stage {}"
        " and ./convkit verify --stage {}\n",
        stage.number, stage.number);
    return 0;
  }

 private:
  std::string stage_, name_, op_;
};

}  // namespace

std::unique_ptr<CliCommand> new_case_command() {
  return std::make_unique<NewCaseCommand>();
}

}  // namespace convkit

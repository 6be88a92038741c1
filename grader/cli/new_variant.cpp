// SPDX-License-Identifier: MIT
// `new-variant`: one more wrong variant of a stage's solution.
#include "cli/commands.h"
#include "cli/handed_over.h"
#include "machine/console.h"
#include "skeleton/skeleton.h"

namespace convkit {
namespace {

class NewVariantCommand final : public CliCommand {
 public:
  NewVariantCommand() : CliCommand(kNewVariant.text) {}

  void declare(const Options& options) override {
    options.value("stage", stage_, kStageHelp).required();
    options.value("id", id_, "the id of the new variant").required();
    options.value("--file", file_,
                  "the file of the solution that has the mistake (default: the first task's)");
  }
  int run(Kit& kit) override {
    kit.must_have_solutions("new-variant");
    const Stage& stage = kit.stage(stage_);
    const auto file = write_new_variant(kit, stage, id_, file_);
    say("Wrote    {}\n"
        "Next:    write the mistake in `replace`, "
        "which leaves the statement out as it is, and say it in `about`;\n"
        "         ./convkit verify --stage {} shows whether the grader notices it.\n",
        file.string(), stage.number);
    return 0;
  }

 private:
  std::string stage_, id_, file_;
};

}  // namespace

std::unique_ptr<CliCommand> new_variant_command() {
  return std::make_unique<NewVariantCommand>();
}

}  // namespace convkit

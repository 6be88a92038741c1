// SPDX-License-Identifier: MIT
// The commands that write skeletons: of a stage, a case and a wrong variant.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/handed_over.h"
#include "machine/console.h"
#include "skeleton/skeleton.h"

namespace convkit {
namespace {

// `new-stage`: a stage that passes, to be changed into the one that is wanted.
class NewStageCommand final : public CliCommand {
 public:
  NewStageCommand() : CliCommand(kNewStage.text) {}

  void declare(const Options& options) override {
    options.value("stage", id_, "number and name of the new stage, such as 08_blur").required();
    options.flag("--gpu", gpu_, "a stage in CUDA, for a GPU or the CPU device");
  }
  int run(Kit& kit) override {
    kit.must_have_generator("new-stage");
    const Stage stage = write_new_stage(kit, id_, gpu_);
    for (const auto& folder :
         {stage.directory, kit.solution(stage), kit.starter(stage), kit.visible_cases(stage)}) {
      fmt::print("Wrote    {}\n", folder.string());
    }
    say("Next:    ./convkit verify --stage {} proves that it is sound as it is.\n"
        "         Then edit it; docs/adding-a-stage.md says in which order.\n",
        stage.number);
    return 0;
  }

 private:
  std::string id_;
  bool gpu_ = false;
};

}  // namespace

std::unique_ptr<CliCommand> new_stage_command() {
  return std::make_unique<NewStageCommand>();
}

namespace {

// `new-case`: one more case of a stage.
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

namespace {

// `new-variant`: one more wrong variant of a stage's solution.
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

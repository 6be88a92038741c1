// SPDX-License-Identifier: MIT
// `new-stage`: a stage that passes, to be changed into the one that is wanted.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/handed_over.h"
#include "machine/console.h"
#include "skeleton/skeleton.h"

namespace convkit {
namespace {

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

}  // namespace convkit

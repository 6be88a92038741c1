// SPDX-License-Identifier: MIT
// `train`: builds the student's network and hands over to the stage's training program.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/commands.h"
#include "cli/device_choice.h"
#include "convkit/kit_error.h"
#include "work/submission_library.h"
#include "work/training_files.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

struct TrainOptions {
  std::string stage;
  std::filesystem::path folder;  // empty: the student's work folder
  bool solution = false;         // the reference solution in its place
  std::string data;              // mnist, fashion, synthetic or a folder; empty: what there is
  std::filesystem::path out;     // of checkpoints and pictures; empty: work/training/NN_name
  // Passed on to the stage's program as they are; empty: its defaults.
  std::string model, epochs, batch, lr, seed;
  std::filesystem::path resume;
  std::vector<std::string> further;
};

namespace fs = std::filesystem;

bool has_program(const Stage& stage) {
  std::error_code error;
  return fs::is_directory(stage.directory / "program", error);
}

fs::path program_of(const Kit& kit, const Stage& stage) {
  if (!has_program(stage)) {
    std::string others;
    for (const Stage& other : kit.stages) {
      if (has_program(other)) others += (others.empty() ? "" : ", ") + other.id;
    }
    throw UsageError(fmt::format(
        "{} trains no network. {}", stage.id,
        others.empty() ? "No stage of this kit does." : fmt::format("These do: {}.", others)));
  }
  return kit.program(stage, ".train");
}

WorkFolder wanted_folder(const Kit& kit, const Stage& stage, const TrainOptions& options) {
  if (!options.solution) return open_work(kit, stage, options.folder);
  const fs::path solution = kit.need_solution(stage);
  return {solution, list_files(solution)};
}

// Takes this process's place, so that the terminal, Ctrl-C and the exit code are the program's own.
[[noreturn]] void become(const fs::path& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  const std::string name = program.string();
  argv.push_back(const_cast<char*>(name.c_str()));
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  std::fflush(stdout);
  execv(name.c_str(), argv.data());
  throw KitError(fmt::format("{} cannot be started: {}.", name, std::strerror(errno)));
}

int run_train(const Kit& kit, const TrainOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  const fs::path program = program_of(kit, stage);
  const WorkFolder work = wanted_folder(kit, stage, options);
  std::error_code error;
  if (!options.resume.empty() && !fs::is_regular_file(options.resume, error)) {
    throw UsageError(fmt::format("There is no checkpoint {}.", options.resume.string()));
  }
  const TrainingFiles data = find_training_files(kit, options.data);
  const fs::path library = build_library(kit, stage, work, false);
  if (interrupted()) return 130;

  const fs::path out =
      options.out.empty() ? kit.work(stage).parent_path() / "training" / stage.id : options.out;
  std::vector<std::string> arguments = {"--submission",  library.string(),
                                        "--images",      data.train.images.string(),
                                        "--labels",      data.train.labels.string(),
                                        "--test-images", data.test.images.string(),
                                        "--test-labels", data.test.labels.string(),
                                        "--data-name",   data.name,
                                        "--out",         out.string()};
  const auto pass_on = [&](const char* name, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {name, value});
  };
  pass_on("--model", options.model);
  pass_on("--epochs", options.epochs);
  pass_on("--batch", options.batch);
  pass_on("--lr", options.lr);
  pass_on("--seed", options.seed);
  pass_on("--resume", options.resume.string());
  arguments.insert(arguments.end(), options.further.begin(), options.further.end());
  if (!data.note.empty()) fmt::print("Note: {}\n", data.note);
  become(program, arguments);
}

class TrainCommand final : public CliCommand {
 public:
  TrainCommand()
      : CliCommand("train", "train a network with your work", "./convkit train 7 --epochs 3") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    const Option folder = options.value("--dir", o_.folder, kFolderHelp);
    options.flag("--solution", o_.solution, "train the reference solution, not your work")
        .excludes(folder);
    options.value("--data", o_.data,
                  "mnist, fashion, synthetic, or a folder with four IDX files (default: MNIST "
                  "where it is found)");
    options.value("--model", o_.model, "mlp, cnn, or another network of the stage");
    options.value("--epochs", o_.epochs, "number of passes over all images").positive();
    options.value("--batch", o_.batch, "images of one step").positive();
    options.value("--lr", o_.lr, "learning rate").positive();
    options.value("--seed", o_.seed, "seed of all random numbers").not_negative();
    options.value("--resume", o_.resume, "go on from this checkpoint");
    options.value("--out", o_.out,
                  "where checkpoints and pictures go (default: work/training/NN_name)");
    options.value("further", o_.further, "after --: options of the stage's program");
  }
  int run(Kit& kit) override {
    device_.apply(kit, {o_.stage});
    return run_train(kit, o_);
  }

 private:
  DeviceChoice device_;
  TrainOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> train_command() {
  return std::make_unique<TrainCommand>();
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The command line. Only this file knows CLI11.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>

#include "cli/commands.h"
#include "cli/completion.h"
#include "convkit/kit_error.h"
#include "convkit/nearest.h"
#include "process/process.h"

namespace convkit {
namespace {

constexpr int kUsage = 2, kGraderFailed = 3;

// Every command: its options, and what runs it.
struct Commands {
  StartOptions start;
  CheckOptions check;
  RunOptions under;
  BenchOptions bench;
  TrainOptions train;
  PredictOptions predict;
  SubmitOptions submit;
  GradeCommand grade;
  RefgenOptions refgen;
  VerifyOptions verify;
  CcCommand cc;
  std::string shell;
  std::string sweep_name, ladder_name, chart_name;
  CLI::Option *sweep = nullptr, *ladder = nullptr,
              *chart = nullptr;  // without a name they are there, too
  std::string device = "auto";
  bool no_speed = false, no_hidden = false, no_references = false, no_handouts = false,
       no_peers = false, no_check = false;
  std::function<int(const Kit&)> run;
};

// The kit with the device that these stages (none: all) are to run on. A GPU is looked for only
// where a stage wants one: that takes a moment.
Kit on_device(Kit kit, const std::vector<std::string>& stages, const std::string& device) {
  const auto wants_gpu = [](const Stage& stage) { return stage.device == "gpu"; };
  const bool any = stages.empty()
                       ? std::any_of(kit.stages.begin(), kit.stages.end(), wants_gpu)
                       : std::any_of(stages.begin(), stages.end(), [&](const std::string& name) {
                           return wants_gpu(find_stage(kit.stages, name));
                         });
  if (any || device == "gpu") kit.use_device(device);
  return kit;
}

void add_device(CLI::App* command, Commands& c) {
  command
      ->add_option("--device", c.device,
                   "for GPU stages: cpu (the kit's own device), gpu, or auto (a GPU where there is "
                   "one)")
      ->check(CLI::IsMember({"auto", "cpu", "gpu"}));
}

CLI::App* add(CLI::App& app, const char* name, const char* about, const char* example,
              std::function<int(const Kit&)>& run, std::function<int(const Kit&)> action) {
  CLI::App* command = app.add_subcommand(name, about);
  command->footer(std::string("Example:\n  ") + example);
  command->callback([&run, action = std::move(action)] { run = action; });
  return command;
}

void define(CLI::App& app, Commands& c) {
  const char* kStage = "the stage: 1, 01 or 01_cpu_conv";
  add(app, "list", "the stages, and how far you are", "./convkit list", c.run, run_list);

  auto* start = add(app, "start", "begin a stage: copies its starter to work/", "./convkit start 1",
                    c.run, [&c](const Kit& kit) { return run_start(kit, c.start); });
  start->add_option("stage", c.start.stage, kStage)->required();
  start
      ->add_option("--reference", c.start.reference,
                   "also copy the reference solution of this earlier stage, if your course allows "
                   "it (may be repeated)")
      ->allow_extra_args(false);

  auto* check = add(app, "check", "check your work on the visible cases",
                    "./convkit check 1 --case one_channel_3x3", c.run, [&c](const Kit& kit) {
                      return run_check(on_device(kit, {c.check.stage}, c.device), c.check);
                    });
  add_device(check, c);
  check->add_option("stage", c.check.stage, kStage)->required();
  check->add_option("--case", c.check.only_case, "this case only");
  check->add_option("--dir", c.check.folder,
                    "the folder with the stage's files (default: work/NN_name)");
  check->add_option("--json", c.check.json, "write the result here");
  check->add_flag("--watch", c.check.watch, "check again whenever a file is saved");
  check->add_flag("--hint", c.check.hint, "one more hint for the first task that fails");
  check->add_flag("--sanitize", c.check.sanitize,
                  "with address and undefined-behaviour sanitizers: a crash names your line");
  check->add_flag("-v,--verbose", c.check.verbose, "every case, and what your code printed");

  auto* under = add(app, "run", "call your work on visible cases under a tool such as a profiler",
                    "./convkit run 3 --case four_tiles -- compute-sanitizer --tool racecheck",
                    c.run, [&c](const Kit& kit) {
                      return run_under(on_device(kit, {c.under.stage}, c.device), c.under);
                    });
  add_device(under, c);
  under->add_option("stage", c.under.stage, kStage)->required();
  // One name each, or "--" would end the list of names and not the options.
  under->add_option("--case", c.under.cases, "this case only (may be repeated)")
      ->allow_extra_args(false);
  under->add_option("--dir", c.under.folder,
                    "the folder with the stage's files (default: work/NN_name)");
  under->add_option("--seconds", c.under.seconds, "time that one case may take (default: 600)");
  under->add_option("tool", c.under.tool, "after --: the tool and its options");

  auto* bench = add(app, "bench", "time your work against the baseline", "./convkit bench 1", c.run,
                    [&c](const Kit& kit) {
                      c.bench.peers = !c.no_peers;
                      c.bench.sweep = c.sweep->count() > 0;
                      c.bench.ladder = c.ladder->count() > 0;
                      c.bench.chart = c.chart->count() > 0;
                      c.bench.table = c.bench.sweep    ? c.sweep_name
                                      : c.bench.ladder ? c.ladder_name
                                                       : c.chart_name;
                      return run_bench(on_device(kit, {c.bench.stage}, c.device), c.bench);
                    });
  add_device(bench, c);
  bench->add_option("stage", c.bench.stage, kStage)->required();
  bench->add_option("--dir", c.bench.folder,
                    "the folder with the stage's files (default: work/NN_name)");
  bench->add_option("--shape", c.bench.shapes, "these shapes only, by name");
  bench->add_option("--seconds", c.bench.seconds, "time spent on each shape")
      ->check(CLI::PositiveNumber);
  bench->add_option("--json", c.bench.json, "write the figures here");
  bench->add_flag("--solution", c.bench.solution, "time the reference solution too");
  bench->add_flag("--no-peers", c.no_peers, "leave vendor libraries out");
  c.sweep = bench
                ->add_option("--sweep", c.sweep_name,
                             "try the combinations of a kernel's constants; NAME: of one of the "
                             "stage's sweeps")
                ->expected(0, 1);
  c.ladder = bench
                 ->add_option("--ladder", c.ladder_name,
                              "what each step of the stage bought; NAME: of one of its ladders")
                 ->expected(0, 1)
                 ->excludes(c.sweep);
  c.chart = bench
                ->add_option("--chart", c.chart_name,
                             "only the figures that the work itself measures; NAME: of one of the "
                             "stage's charts")
                ->expected(0, 1)
                ->excludes(c.sweep)
                ->excludes(c.ladder);
  bench->add_option("--svg", c.bench.svg,
                    "of --sweep, --ladder and --chart: the picture (default: in "
                    "work/results)");
  bench->add_flag("--again", c.bench.again, "of --sweep: whatever was found before");

  auto* train = add(app, "train", "train a network with your work", "./convkit train 7 --epochs 3",
                    c.run, [&c](const Kit& kit) {
                      return run_train(on_device(kit, {c.train.stage}, c.device), c.train);
                    });
  add_device(train, c);
  train->add_option("stage", c.train.stage, kStage)->required();
  auto* train_folder = train->add_option("--dir", c.train.folder,
                                         "the folder with the stage's files (default: "
                                         "work/NN_name)");
  train->add_flag("--solution", c.train.solution, "the reference solution, not your work")
      ->excludes(train_folder);
  train->add_option("--data", c.train.data,
                    "mnist, fashion, synthetic, or a folder with four IDX files (default: MNIST "
                    "where it is found)");
  train->add_option("--model", c.train.model, "mlp, cnn, or what else the stage offers");
  train->add_option("--epochs", c.train.epochs, "how often every image is seen")
      ->check(CLI::PositiveNumber);
  train->add_option("--batch", c.train.batch, "images of one step")->check(CLI::PositiveNumber);
  train->add_option("--lr", c.train.lr, "learning rate")->check(CLI::PositiveNumber);
  train->add_option("--seed", c.train.seed, "of all random numbers")->check(CLI::NonNegativeNumber);
  train->add_option("--resume", c.train.resume, "go on from this checkpoint");
  train->add_option("--out", c.train.out,
                    "where checkpoints and pictures go (default: work/training/NN_name)");
  train->add_option("further", c.train.further, "after --: options of the stage's own program");

  auto* predict = add(app, "predict", "what a trained network sees in pictures",
                      "./convkit predict model.npz photo.jpg", c.run,
                      [&c](const Kit&) { return run_predict(c.predict); });
  predict->add_option("model", c.predict.model, "a checkpoint that `train` wrote")->required();
  predict
      ->add_option("images", c.predict.images,
                   "PNG, JPEG, BMP, PGM or PPM: a digit each; a photo of one on paper will do")
      ->required();
  predict->add_option("--json", c.predict.json, "write the probabilities here");

  auto* submit = add(app, "submit", "pack your work into an archive to hand in",
                     "./convkit submit 1", c.run, [&c](const Kit& kit) {
                       c.submit.check = !c.no_check;
                       return run_submit(on_device(kit, c.submit.stages, "auto"), c.submit);
                     });
  submit->add_option("stages", c.submit.stages, "the stages to pack")->required();
  submit->add_option("--out", c.submit.archive,
                     "the archive (default: work/submission-NN_name.zip)");
  submit->add_flag("--no-check", c.no_check, "do not run the checks first");

  auto* grade =
      add(app, "grade", "grade a submission: a folder or an archive",
          "./convkit grade submission.zip --json result.json", c.run, [&c](const Kit& kit) {
            c.grade.speed = !c.no_speed;
            c.grade.hidden = !c.no_hidden;
            return run_grade(on_device(kit, c.grade.stages, c.device), c.grade);
          });
  add_device(grade, c);
  grade->add_option("submission", c.grade.submission, "folder, .zip, .tar, .tar.gz or .tar.xz")
      ->required();
  grade->add_option("--stage", c.grade.stages, "this stage only (may be repeated)");
  grade->add_option("--json", c.grade.json, "where the result goes (default: work/results/)");
  grade->add_option("--gradescope", c.grade.gradescope,
                    "also write Gradescope's results.json here");
  grade->add_flag("--no-speed", c.no_speed, "leave speed points pending");
  grade->add_flag("--no-hidden", c.no_hidden, "visible cases only");
  grade->add_flag("--reveal-hidden", c.grade.reveal_hidden,
                  "staff: say what hidden cases found, not only their public sentence");
  grade->add_flag("-v,--verbose", c.grade.verbose, "every case, and what the submission printed");

  auto* refgen = add(app, "refgen", "make reference data; with --seed, a hidden set",
                     "./convkit refgen --stage 1 --seed autumn-2026", c.run,
                     [&c](const Kit& kit) { return run_refgen(kit, c.refgen); });
  refgen->add_option("--stage", c.refgen.stage, kStage);
  refgen->add_option("--seed", c.refgen.seed, "secret seed of a hidden set");
  refgen->add_option("--out", c.refgen.out, "the cases go to OUT/NN_name");
  auto* proof = refgen->add_flag("--check", c.refgen.check,
                                 "only prove that the committed data is reproduced");
  refgen->add_flag("--list", c.refgen.list, "name the cases and their sizes, and make nothing")
      ->excludes(proof);

  auto* verify = add(app, "verify", "prove that the kit is sound", "./convkit verify", c.run,
                     [&c](const Kit& kit) {
                       c.verify.speed = !c.no_speed;
                       c.verify.references = !c.no_references;
                       c.verify.handouts = !c.no_handouts;
                       return run_verify(on_device(kit, c.verify.stages, c.device), c.verify);
                     });
  add_device(verify, c);
  verify->add_option("--stage", c.verify.stages, "this stage only (may be repeated)");
  verify->add_flag("--no-speed", c.no_speed, "do not ask solutions for their speed points");
  verify->add_flag("--no-references", c.no_references, "do not reproduce the reference data");
  verify->add_flag("--no-handouts", c.no_handouts, "do not run the handouts' commands");
  verify->add_flag("--write-starter", c.verify.write_starter,
                   "first write starter/ anew from solutions/");

  add(app, "cc", "compile CUDA programs for the CPU, as nvcc does for a GPU",
      "./convkit cc prog.cu -o prog && ./prog\n"
      "Takes nvcc's options. Of its own: --check (find races, bad accesses and barriers at run "
      "time).",
      c.run, [&c](const Kit& kit) { return run_cc(kit, c.cc); });
  add(app, "doctor", "what this machine can do", "./convkit doctor", c.run, run_doctor);
  add(app, "demo", "grade three small submissions and see what everyone would see",
      "./convkit demo", c.run, run_demo);
}

// CLI11 reports an unknown command as a left-over argument; people want to know which one they
// meant.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  for (const std::string& name : names) {
    if (name == argv[1]) return "";
  }
  const std::string near = nearest(argv[1], names);
  return std::string("There is no command `") + argv[1] + "`." +
         (near.empty() ? "" : " Did you mean `" + near + "`?") + " See ./convkit --help.";
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"Convolution on CPU and GPU, in seven stages: start, check, bench, submit, grade."};
  app.name("convkit");
  app.require_subcommand(1);
  app.footer(
      "Students: list, start 1, check 1, bench 1, submit 1.\n"
      "Instructors: grade SUBMISSION. TAs: refgen, verify.\n"
      "`./convkit test` runs the kit's own tests; `--offline` before any command never uses the "
      "network.\n"
      "`./convkit COMMAND --help` explains each, with an example.");
  Commands commands;
  define(app, commands);
  auto* completion = app.add_subcommand("completion", "print the completion script of a shell");
  completion->footer("Example:\n  eval \"$(./convkit completion bash)\"");
  completion->add_option("shell", commands.shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  completion->callback([&commands] {
    commands.run = [&commands](const Kit&) {
      std::cout << completion_script(commands.shell);
      return 0;
    };
  });
  bool version = false;
  app.add_flag("--version", version, "print the version");
  // --version alone is a whole command line.
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << "convkit " << CONVKIT_VERSION << "\n";
    return 0;
  }
  if (argc == 1) {
    std::cerr
        << "Say what to do: ./convkit list shows the stages, ./convkit --help the commands.\n";
    return kUsage;
  }
  if (const std::string message = unknown_command(app, argc, argv); !message.empty()) {
    std::cerr << message << "\n";
    return kUsage;
  }
  // Its options are nvcc's, and CLI11 would take -std for -s -t -d.
  const bool help = argc == 3 && (std::string(argv[2]) == "--help" || std::string(argv[2]) == "-h");
  if (std::string(argv[1]) == "cc" && !help) {
    commands.cc.arguments.assign(argv + 2, argv + argc);
    return run_cc(Kit::find(), commands.cc);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::cerr << error.what() << "\n";
    const auto used = app.get_subcommands();
    std::cerr << "See ./convkit " << (used.empty() ? "" : used.front()->get_name() + " ")
              << "--help.\n";
    return kUsage;
  }
  return commands.run(Kit::find());
}

}  // namespace
}  // namespace convkit

int main(int argc, char** argv) {
  using namespace convkit;
  install_interrupt_handler();
  try {
    const int code = parse_and_run(argc, argv);
    return interrupted() ? 130 : code;
  } catch (const UsageError& error) {
    std::cerr << error.what() << "\n";
    return kUsage;
  } catch (const KitError& error) {
    std::cerr << "GRADER_ERROR  " << error.what() << "\n";
    return kGraderFailed;
  } catch (const std::exception& error) {
    std::cerr << "GRADER_ERROR  " << error.what() << "\n";
    return kGraderFailed;
  }
}

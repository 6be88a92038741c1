// SPDX-License-Identifier: MIT
// `demo`: three submissions to the first stage, as their students and as the instructor see them.
#include <fmt/core.h>

#include <cstdio>

#include "cli/commands.h"
#include "convkit/datasets.h"
#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "convkit/timing.h"
#include "grade/digit_run.h"
#include "grade/grade.h"
#include "machine/console.h"
#include "report/report_terminal.h"
#include "stage/wrong_variant.h"
#include "submission/intake.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kDigits = 1000;

struct Student {
  const char* name;
  const char* story;
  const char* variant;  // in assignments/<stage>/wrong; nullptr: the unchanged solution
};
constexpr Student kStudents[] = {
    {"ada", "has finished", nullptr},
    {"ben", "made a common mistake", "flipped_kernel"},
    {"cleo", "forgot a semicolon", "missing_semicolon"},
};

// The archive of the stage's folder that the student would hand in.
fs::path hand_in(const Kit& kit, const Stage& stage, const Student& student, const fs::path& into) {
  const fs::path folder = into / student.name;
  fs::create_directories(folder);
  if (student.variant) {
    const fs::path solution = kit.solution(stage);
    write_wrong_variant(load_wrong_variant(stage.directory / "wrong", student.variant, solution),
                        solution, folder / stage.id);
  } else {
    copy_folder(kit.solution(stage), folder / stage.id);
  }
#ifndef CONVKIT_HAVE_LIBARCHIVE
  return folder;  // this build of the kit reads folders only
#endif
  const fs::path archive = into / (std::string(student.name) + ".zip");
  pack_zip(archive, folder, "", list_files(folder));
  return archive;
}

// A digit in half-size characters next to its probabilities.
void show_digit(const LabelledImages& digits, int64_t index, const float* probabilities) {
  static constexpr const char* kShades[] = {" ", ".", ":", "o", "#"};
  const uint8_t* image = digits.images.data() + index * 28 * 28;
  int likeliest = 0;
  for (int k = 1; k < 10; ++k)
    likeliest = probabilities[k] > probabilities[likeliest] ? k : likeliest;
  for (int row = 4; row < 24; row += 2) {
    std::string line;
    for (int col = 2; col < 26; ++col) {
      const int grey = (image[row * 28 + col] + image[(row + 1) * 28 + col]) / 2;
      line += kShades[grey * 5 / 256];
    }
    const int k = (row - 4) / 2;
    const auto bar = static_cast<size_t>(probabilities[k] * 30 + 0.5f);
    fmt::print("    {}   {}  {:5.1f} %  {}\n", line, k, probabilities[k] * 100,
               std::string(bar, k == likeliest ? '=' : '-'));
  }
}

fs::path library_of(const Kit& kit, const Stage& stage, const fs::path& folder) {
  Builder builder = kit.builder();  // everything is in the cache by now
  ThreadPool pool;
  return builder.build(kit.build_request(stage, folder, list_files(folder)), pool).library;
}

void show_digits(const Kit& kit, const Stage& stage, const fs::path& folder,
                 const LabelledImages& digits) {
  const fs::path weights = kit.root / "reference_data" / "weights" / "lenet_mnist.npz";
  fmt::print("\n--- The network they wrote, on digits\n\n{}\n", digits.source);
  for (const Student& student : kStudents) {
    const fs::path library = library_of(kit, stage, folder / student.name / stage.id);
    if (library.empty()) {
      fmt::print("  {:<5} has a network of which a part does not compile.\n", student.name);
      continue;
    }
    const DigitRun run = run_digits(kit, stage, library, weights, digits);
    if (!run.failure.empty()) {
      fmt::print("  {:<5} {}\n", student.name, run.failure);
      continue;
    }
    fmt::print("  {:<5} recognises {} of {} ({:.1f} %)\n", student.name, run.right, digits.count,
               100.0 * run.right / static_cast<double>(digits.count));
    if (!student.variant) show_digit(digits, 0, run.probabilities.data());
  }
}

}  // namespace

int run_demo(const Kit& kit) {
  kit.must_have_solutions("demo");
  kit.must_be_whole();  // the first stage that is whole may be any
  const Stopwatch watch;
  const Stage& stage = kit.stages.front();
  const TemporaryFolder folder("demo");
  const LabelledImages digits = load_images(Dataset::mnist, Split::test, kit.root, kDigits);
  fmt::print("Three students hand in {} ({}). Digits: {}.\n", stage.id, stage.title, digits.source);

  std::vector<Result> results;
  for (const Student& student : kStudents) {
    const fs::path archive = hand_in(kit, stage, student, folder.path());
    GradeOptions options;
    options.stage.hidden = false;
    options.stage.timing = {.budget_s = 0.4, .min_rounds = 3};  // enough to show it
    {
      StatusLine status;
      results.push_back(grade(kit, archive, options, status));
    }
    if (interrupted()) return 130;
    fmt::print("\n--- What {} sees, who {}\n", student.name, student.story);
    View view;
    view.colour = use_colour();
    view.max_failures = 1;
    view.reproduce = as_typed(fmt::format("./convkit check {} --case {{}}", stage.number));
    std::fputs(terminal_view(results.back(), view).c_str(), stdout);
    std::fflush(stdout);
  }
  show_digits(kit, stage, folder.path(), digits);

  fmt::print("\n--- What the instructor sees\n\n");
  for (const Result& result : results) {
    const StageResult& s = result.stages.front();
    fmt::print("  {:<10} {:<13} {:>6.2f} of {:g}   {}\n", result.submission_name, name_of(s.status),
               result.points(), result.max_points(), s.message.substr(0, s.message.find('\n')));
  }
  say("\nSandbox: {}. Took {:.0f} s.\nNext: ./convkit list, ./convkit start {}\n",
      results.front().sandbox, watch.elapsed_s(), stage.number);
  return 0;
}

std::unique_ptr<CliCommand> demo_command() {
  return std::make_unique<PlainCommand>(
      "demo", "grade three small submissions and see what everyone would see", "./convkit demo",
      run_demo);
}

}  // namespace convkit

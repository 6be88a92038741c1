// SPDX-License-Identifier: MIT
// `grade SUBMISSION`: for instructors.
#include <fmt/core.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/device_choice.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "grade/grade.h"
#include "machine/console.h"
#include "machine/output_file.h"
#include "report/plain_text.h"
#include "report/platforms.h"
#include "report/report_terminal.h"

namespace convkit {
namespace {

struct GradeCommandOptions {
  std::filesystem::path submission;
  std::vector<std::string> stages;
  std::filesystem::path json, gradescope, out;
  std::string format;
  std::string nonce;
  bool speed = true, hidden = true, check = true, reveal_hidden = false, verbose = false,
       resume = false, speed_later = false;
};

namespace fs = std::filesystem;

bool are_one_file(const fs::path& one, const fs::path& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) ||
         fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

// A name that leaves room for `.json.journal` in the 255 bytes that a file's name may have.
std::string short_enough(const std::string& name) {
  constexpr size_t kLongest = 200, kHashDigits = 16;
  if (name.size() <= kLongest) return name;
  size_t end = kLongest - kHashDigits - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "-" + sha256_hex(name).substr(0, kHashDigits);
}

fs::path default_result_file(const Kit& kit, const fs::path& submission) {
  std::string name = submission.filename().string();
  if (name.empty()) name = submission.parent_path().filename().string();
  if (name.empty() || name == "." || name == "..") name = "submission";
  return kit.work(kit.stages.front()).parent_path() / "results" / (short_enough(name) + ".json");
}

int run_grade(const Kit& kit, const GradeCommandOptions& command) {
  std::error_code error;
  if (!fs::exists(command.submission, error)) {
    throw UsageError(fmt::format("There is no submission {}.", command.submission.string()));
  }
  if (command.format.empty() != command.out.empty()) {
    throw UsageError("--format says what to write, and --out where: give both or neither.");
  }
  must_be_writable(command.gradescope, Format::gradescope);
  must_be_writable(command.out, command.format == "junit" ? Format::xml : Format::json);
  GradeOptions options;
  options.resume = command.resume;
  options.speed_later = command.speed_later;
  if (!command.nonce.empty()) options.nonce = nonce_of(command.nonce);
  if (command.resume && !command.nonce.empty()) {
    throw UsageError("--resume goes on with the nonce of the grading that was interrupted.");
  }
  for (const std::string& name : command.stages) {
    options.stages.push_back(kit.stage(name).id);
  }
  options.json = command.json.empty() ? default_result_file(kit, command.submission) : command.json;
  if (options.json.has_parent_path()) fs::create_directories(options.json.parent_path(), error);
  if (error) {
    throw UsageError(
        fmt::format("{} cannot be written: {}.", options.json.string(), error.message()));
  }
  if (!command.gradescope.empty() && are_one_file(options.json, command.gradescope)) {
    throw UsageError(fmt::format("--json and --gradescope both name {}.", options.json.string()));
  }
  if (!command.out.empty() && are_one_file(options.json, command.out)) {
    throw UsageError(fmt::format("--json and --out both name {}.", options.json.string()));
  }
  must_be_writable(options.json, Format::result);
  options.stage.speed = command.speed;
  options.stage.check_again = command.check;
  options.stage.hidden = command.hidden;
  options.stage.reveal_hidden = command.reveal_hidden;

  Result result;
  {
    StatusLine status;
    result = grade(kit, command.submission, options, status);
  }
  View view;
  view.colour = use_colour();
  view.all_cases = command.verbose;
  view.printed = command.verbose;
  view.max_failures = command.verbose ? 1000 : 8;
  fmt::print("Submission {} on {}; sandbox: {}.\n", result.submission_name, result.device,
             result.sandbox);
  std::fputs(terminal_view(result, view).c_str(), stdout);
  if (!command.gradescope.empty()) write_whole(command.gradescope, to_gradescope(result));
  for (const Platform& platform : platforms()) {
    if (command.format == platform.name) write_whole(command.out, platform.view(result));
  }
  fmt::print("Result: {}\n", plain_text(options.json.string()));
  constexpr int kInterrupted = 130;
  if (result.interrupted) return kInterrupted;
  if (command.stages.empty()) {
    std::fflush(stdout);  // the result comes first
    kit.must_be_whole();
  }
  return result.exit_code();
}

class GradeCommand final : public CliCommand {
 public:
  GradeCommand()
      : CliCommand("grade", "grade a submission: a folder or an archive",
                   "./convkit grade submission.zip --json result.json") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("submission", o_.submission, "folder, .zip, .tar, .tar.gz or .tar.xz").required();
    options.value("--stage", o_.stages, "this stage only (may be repeated)");
    options.value("--json", o_.json, "where the result goes (default: work/results/)").not_empty();
    options.value("--gradescope", o_.gradescope, "also write Gradescope's results.json here")
        .not_empty();
    std::vector<std::string> formats;
    for (const Platform& platform : platforms()) formats.emplace_back(platform.name);
    options.value("--format", o_.format, "also write the result as this platform reads it ...")
        .one_of(formats);
    options.value("--out", o_.out, "... into this file").not_empty();
    options.negative_flag("--no-speed", o_.speed, "leave speed points pending");
    options.negative_flag("--no-hidden", o_.hidden, "visible cases only");
    options.negative_flag("--no-check", o_.check, "GPU stages: run nothing in check mode");
    options.flag("--reveal-hidden", o_.reveal_hidden,
                 "staff: show the messages of hidden cases, too");
    options.flag("--resume", o_.resume, "go on with a grading that was interrupted");
    options.flag("--speed-later", o_.speed_later, "end before the timing; --resume does it");
    options
        .value("--nonce", o_.nonce,
               "repeat the random choices of a grading: its nonce, or its result file")
        .not_empty();
    options.flag("-v,--verbose", o_.verbose, "every case, and what the submission printed");
  }
  int run(Kit& kit) override {
    device_.apply(kit, o_.stages);
    return run_grade(kit, o_);
  }
  bool result_tells_of_interruption() const override { return true; }

 private:
  DeviceChoice device_;
  GradeCommandOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> grade_command() {
  return std::make_unique<GradeCommand>();
}

}  // namespace convkit

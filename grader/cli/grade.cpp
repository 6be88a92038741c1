// SPDX-License-Identifier: MIT
// `grade SUBMISSION`: for instructors.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/platform_options.h"
#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "grade/grade.h"
#include "json_text.h"
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
  std::filesystem::path json, gradescope, assignment;
  std::vector<std::string> formats;
  std::vector<std::filesystem::path> outs;  // of each format
  PlatformOptions platform;
  std::string nonce;
  std::filesystem::path keep_verdicts;
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

// The result with the stages that were asked for and are not in the submission: a platform shows
// them with their points, which would be missing from the sum.
Result with_missing_stages(const Kit& kit, Result result, const std::vector<std::string>& asked) {
  for (const std::string& id : asked) {
    const auto is_it = [&](const StageResult& stage) { return stage.id == id; };
    if (std::ranges::any_of(result.stages, is_it)) continue;
    const Stage& stage = kit.stage(id);
    StageResult missing;
    missing.id = id;
    missing.title = stage.title;
    missing.status = Status::not_started;
    missing.message = fmt::format("The submission holds no files of {}.", id);
    missing.max_points = stage.max_points();
    result.stages.push_back(std::move(missing));
  }
  std::ranges::sort(result.stages, {}, &StageResult::id);
  return result;
}

// For the instructor, who sees what is printed: the score must fit the assignment.
void compare_points(const fs::path& file, double given) {
  double total = 0;
  try {
    const auto said = parse_json(file_text(file)).at("assignment").at("total_points");
    total = said.is_string() ? std::stod(said.get<std::string>()) : said.get<double>();
  } catch (const std::exception&) {
    fmt::print("{} does not say how many points the assignment has.\n", plain_text(file.string()));
    return;
  }
  if (total == given) return;
  fmt::print(
      "The assignment has {} points, and the autograder gives up to {}. That is right only where "
      "the rest is graded by hand; else change the assignment's points, or pack the autograder "
      "with --points {}.\n",
      total, given, total);
}

void write_for_platforms(const Kit& kit, const Result& graded, const GradeCommandOptions& command,
                         const std::vector<std::string>& asked) {
  const Result result = with_missing_stages(kit, graded, asked);
  if (!command.gradescope.empty()) write_whole(command.gradescope, to_gradescope(result));
  for (size_t i = 0; i < command.formats.size(); ++i) {
    for (const Platform& platform : platforms()) {
      if (command.formats[i] == platform.name) {
        write_whole(command.outs[i], platform.view(result, command.platform));
      }
    }
  }
  if (command.assignment.empty()) return;
  compare_points(command.assignment,
                 command.platform.points > 0 ? command.platform.points : result.max_points());
}

void must_differ(const fs::path& json, const fs::path& other, const char* option) {
  if (other.empty() || !are_one_file(json, other)) return;
  throw UsageError(fmt::format("--json and {} both name {}.", option, json.string()));
}

int run_grade(const Kit& kit, const GradeCommandOptions& command) {
  std::error_code error;
  if (!fs::exists(command.submission, error)) {
    throw UsageError(fmt::format("There is no submission {}.", command.submission.string()));
  }
  if (command.formats.size() != command.outs.size()) {
    throw UsageError(
        "--format says what to write, and --out where: give both or neither, as often.");
  }
  const bool tuned = command.platform != PlatformOptions{} || !command.assignment.empty();
  if (tuned && std::ranges::find(command.formats, "gradescope") == command.formats.end()) {
    throw UsageError("--show-hidden, --points and --assignment belong to --format gradescope.");
  }
  must_be_writable(command.gradescope, Format::gradescope);
  for (size_t i = 0; i < command.outs.size(); ++i) {
    must_be_writable(command.outs[i], command.formats[i] == "junit" ? Format::xml : Format::json);
  }
  GradeOptions options;
  options.resume = command.resume;
  options.speed_later = command.speed_later;
  if (!command.nonce.empty()) options.nonce = nonce_of(command.nonce);
  if (command.resume && !command.nonce.empty()) {
    throw UsageError("--resume goes on with the nonce of the grading that was interrupted.");
  }
  if (!command.keep_verdicts.empty()) {
    if (!command.nonce.empty()) {
      throw UsageError("--keep-verdicts goes on with the nonce of that result: leave --nonce out.");
    }
    if (command.resume) {
      throw UsageError(
          "--resume goes on with the verdicts kept before: leave --keep-verdicts out.");
    }
    options.earlier = std::make_shared<EarlierResult>(command.keep_verdicts);
    options.nonce = options.earlier->nonce();
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
  must_differ(options.json, command.gradescope, "--gradescope");
  must_differ(options.json, command.keep_verdicts, "--keep-verdicts");
  for (const fs::path& out : command.outs) must_differ(options.json, out, "--out");
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
  write_for_platforms(kit, result, command, options.stages);
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
    options
        .value("--format", o_.formats,
               "also write the result as this platform reads it (may be repeated, with --out) ...")
        .one_of(formats);
    options.value("--out", o_.outs, "... into this file").not_empty();
    declare_platform(options, o_.platform);
    options
        .value("--assignment", o_.assignment,
               "Gradescope: submission_metadata.json, whose points are compared")
        .not_empty();
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
    options
        .value("--keep-verdicts", o_.keep_verdicts,
               "judge again only what this earlier result of the same submission cannot tell")
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

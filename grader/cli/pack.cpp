// SPDX-License-Identifier: MIT
// `pack`: the copy of the kit for students or instructors, as an archive; and what Gradescope and
// GitHub Classroom need to grade with it.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/handed_over.h"
#include "cli/platform_options.h"
#include "convkit/kit_error.h"
#include "machine/output_file.h"
#include "pack/autograder.h"
#include "pack/students_copy.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

struct PackOptions {
  std::string what;
  fs::path archive;
  AutograderOptions autograder;
  bool tuned() const { return autograder != AutograderOptions{.stages = autograder.stages}; }
};

void say_what_students_get(const Kit& kit) {
  fmt::print("{}{}\n",
             kit.course.students_have_baselines
                 ? "The baselines are in it."
                 : "The baselines are not in it, so students cannot use `bench`.",
             kit.course.reference.empty() ? " No solutions are." : "");
  for (const std::string& stage : kit.course.reference) {
    fmt::print("The reference solution of {} is in it, because course.toml allows it.\n", stage);
  }
}

void say_size(const fs::path& archive, size_t count) {
  fmt::print("{} holds {} files, {:.1f} MB.\n", archive.string(), count,
             static_cast<double>(fs::file_size(archive)) / 1e6);
}

void warn_of_system() {
  if (!runs_here_only()) return;
  fmt::print(
      "Warning: the programs in it were built for {}, and start on no other system. Use a package "
      "of the kit, whose programs do: docs/install.md, \"Packages\".\n",
      this_system());
}

// What the instructor does next, in the words of Gradescope's pages.
void say_gradescope(const Kit& kit, const AutograderOptions& options,
                    const std::vector<PackedFile>& files) {
  double all = 0, speed = 0;
  for (const std::string& id : options.stages) {
    all += kit.stage(id).max_points();
    speed += kit.stage(id).speed_points();
  }
  const double points = options.platform.points > 0 ? options.platform.points : all;
  const auto is_hidden = [](const PackedFile& file) { return file.path.starts_with("hidden/"); };
  if (std::ranges::any_of(files, is_hidden)) {
    fmt::print(
        "Hidden cases are in it; students see what they say: {}. Not the secret, and no "
        "solutions.\n",
        options.platform.hidden_cases);
  } else {
    fmt::print(
        "No hidden cases are in it, so only visible cases count. To have some: ./convkit refgen "
        "--stage {} --seed-file -, then pack again.\n",
        kit.stage(options.stages.front()).number);
  }
  fmt::print(
      "At Gradescope: make a Programming Assignment with {} Autograder points; upload the file at "
      "Configure Autograder, base image Ubuntu 22.04; then Test Autograder.\n",
      points);
  if (speed > 0) {
    fmt::print(
        "{:.4g} of these points are for speed. They stay pending there: nobody gets more than "
        "{:.4g}.\n",
        speed * points / all, (all - speed) * points / all);
  }
  warn_of_system();
}

int run_copy(const Kit& kit, const PackOptions& options) {
  const bool for_students = options.what == "students";
  const fs::path archive =
      options.archive.empty() ? fs::path("convkit-" + options.what + ".tar.gz") : options.archive;
  must_be_writable(archive, Format::tar_gz);
  const std::vector<PackedFile> files = for_students ? students_copy(kit) : instructors_copy(kit);
  const size_t count = files.size();
  write_tar_gz(archive, "convkit", files);
  say_size(archive, count);
  if (for_students) {
    say_what_students_get(kit);
  } else {
    fmt::print("The solutions and the wrong variants are in it: it is not for students.\n");
  }
  return 0;
}

int run_pack(const Kit& kit, const PackOptions& options) {
  const bool for_platform = options.what == "gradescope" || options.what == "github";
  if (for_platform == options.autograder.stages.empty()) {
    throw UsageError(for_platform
                         ? fmt::format("pack {} needs the stages of the assignment: --stage 1, for "
                                       "example.",
                                       options.what)
                         : "--stage belongs to pack gradescope and pack github.");
  }
  if (options.tuned() && options.what != "gradescope") {
    throw UsageError("--show-hidden, --points and --minutes belong to pack gradescope.");
  }
  kit.must_have_solutions("pack");
  kit.must_be_whole();
  if (!for_platform) return run_copy(kit, options);

  AutograderOptions autograder = options.autograder;
  for (std::string& stage : autograder.stages) stage = kit.stage(stage).id;
  const fs::path archive =
      options.archive.empty() ? fs::path("convkit-" + options.what + ".zip") : options.archive;
  must_be_writable(archive, Format::zip);
  const std::vector<PackedFile> files = options.what == "gradescope"
                                            ? gradescope_autograder(kit, autograder)
                                            : github_assignment(kit, autograder.stages);
  write_zip(archive, files);
  say_size(archive, files.size());
  if (options.what == "gradescope") {
    say_gradescope(kit, autograder, files);
  } else {
    fmt::print(
        "Unpack it into the template repository of the assignment. Students can read all of it, so "
        "it has no hidden cases and no solutions.\n");
    warn_of_system();
  }
  return 0;
}

class PackCommand final : public CliCommand {
 public:
  PackCommand() : CliCommand(kPack.text) {}

  void declare(const Options& options) override {
    options
        .value("what", o_.what,
               "students: without solutions and wrong variants; instructors: with them; "
               "gradescope: the zip of an autograder; github: the files of a GitHub Classroom "
               "assignment")
        .required()
        .one_of({"students", "instructors", "gradescope", "github"});
    options.value("--out", o_.archive,
                  "the archive (default: convkit-students.tar.gz, convkit-gradescope.zip)");
    AutograderOptions& a = o_.autograder;
    options.value("--stage", a.stages, "platforms: a stage of the assignment (may be repeated)");
    declare_platform(options, a.platform);
    options.value("--minutes", a.minutes,
                  "Gradescope: the assignment's time limit, from 2 to 40 (default: 10)");
  }
  int run(Kit& kit) override {
    const AutograderOptions& a = o_.autograder;
    if (a.minutes < 2 || a.minutes > 40) {
      throw UsageError("--minutes must be from 2 to 40, which is the most that Gradescope gives.");
    }
    split_stages();
    return run_pack(kit, o_);
  }

 private:
  // "1,2" is two stages; naming one twice is naming it.
  void split_stages() {
    std::vector<std::string> stages;
    for (const std::string& words : o_.autograder.stages) {
      for (size_t begin = 0; begin <= words.size();) {
        const size_t end = std::min(words.find(',', begin), words.size());
        const std::string stage = words.substr(begin, end - begin);
        if (std::ranges::find(stages, stage) == stages.end()) stages.push_back(stage);
        begin = end + 1;
      }
    }
    o_.autograder.stages = std::move(stages);
  }

  PackOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> pack_command() {
  return std::make_unique<PackCommand>();
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// `pack`: the copy of the kit for students, or for instructors, as an archive.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/handed_over.h"
#include "machine/output_file.h"
#include "pack/students_copy.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

struct PackOptions {
  std::string what;
  fs::path archive;
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

int run_pack(const Kit& kit, const PackOptions& options) {
  kit.must_have_solutions("pack");
  kit.must_be_whole();
  const bool for_students = options.what == "students";
  const fs::path archive =
      options.archive.empty() ? fs::path("convkit-" + options.what + ".tar.gz") : options.archive;
  must_be_writable(archive, Format::tar_gz);
  const std::vector<PackedFile> files = for_students ? students_copy(kit) : instructors_copy(kit);
  const size_t count = files.size();
  write_tar_gz(archive, "convkit", files);
  fmt::print("{} holds {} files, {:.1f} MB.\n", archive.string(), count,
             static_cast<double>(fs::file_size(archive)) / 1e6);
  if (for_students) {
    say_what_students_get(kit);
  } else {
    fmt::print("The solutions and the wrong variants are in it: it is not for students.\n");
  }
  return 0;
}

class PackCommand final : public CliCommand {
 public:
  PackCommand() : CliCommand(kPack.text) {}

  void declare(const Options& options) override {
    options
        .value("what", o_.what,
               "students: without solutions and wrong variants; instructors: with them")
        .required()
        .one_of({"students", "instructors"});
    options.value("--out", o_.archive, "the archive (default: convkit-students.tar.gz)");
  }
  int run(Kit& kit) override { return run_pack(kit, o_); }

 private:
  PackOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> pack_command() {
  return std::make_unique<PackCommand>();
}

}  // namespace convkit

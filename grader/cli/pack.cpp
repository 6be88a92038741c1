// SPDX-License-Identifier: MIT
// `pack students`: the copy for students as an archive.
#include <fmt/core.h>

#include "cli/commands.h"
#include "pack/students_copy.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

struct PackOptions {
  std::string what;
  fs::path archive = "convkit-students.tar.gz";
};

int run_pack(const Kit& kit, const PackOptions& options) {
  kit.must_have_solutions("pack");
  const std::vector<PackedFile> files = students_copy(kit);
  const size_t count = files.size();
  write_tar_gz(options.archive, "convkit", files);
  fmt::print("{} holds {} files, {:.1f} MB.\n", options.archive.string(), count,
             static_cast<double>(fs::file_size(options.archive)) / 1e6);
  fmt::print("{}{}\n",
             kit.course.students_have_baselines
                 ? "The baselines are in it."
                 : "The baselines are not in it, so students cannot use `bench`.",
             kit.course.reference.empty() ? " No solutions are." : "");
  for (const std::string& stage : kit.course.reference) {
    fmt::print("The reference solution of {} is in it, because course.toml allows it.\n", stage);
  }
  return 0;
}

class PackCommand final : public CliCommand {
 public:
  PackCommand()
      : CliCommand("pack", "make the copy of the kit that students get",
                   "./convkit pack students --out convkit-students.tar.gz") {}

  void declare(const Options& options) override {
    options.value("what", o_.what, "students: without solutions and wrong variants")
        .required()
        .one_of({"students"});
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

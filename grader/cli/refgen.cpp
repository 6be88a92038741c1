// SPDX-License-Identifier: MIT
// `refgen`: hands over to the NumPy generator.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/commands.h"
#include "convkit/kit_error.h"
#include "machine/python.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

struct RefgenOptions {
  std::string stage;
  std::string seed, seed_file;
  std::filesystem::path out;
  bool check = false, list = false;
};

// The nearest that exists of it and the folders above it.
void must_be_able_to_hold_folders(const fs::path& wanted) {
  std::error_code error;
  for (fs::path at = fs::absolute(wanted); at.has_relative_path(); at = at.parent_path()) {
    if (fs::is_directory(at, error)) return;
    if (fs::exists(fs::symlink_status(at, error))) {
      throw UsageError(fmt::format("--out takes a folder, and {} is a file.", at.string()));
    }
  }
}

int run_refgen(const Kit& kit, const RefgenOptions& options) {
  const fs::path generator = kit.root / "reference_data" / "generate.py";
  kit.must_have_generator("refgen");
  const fs::path python = find_python();
  std::vector<std::string> argv = {python.string(), generator.string()};
  if (!options.stage.empty()) {
    argv.insert(argv.end(), {"--stage", kit.stage(options.stage).id});
  }
  if (!options.seed.empty()) argv.insert(argv.end(), {"--seed", options.seed});
  if (!options.seed_file.empty()) argv.insert(argv.end(), {"--seed-file", options.seed_file});
  if (!options.out.empty()) {
    if (options.stage.empty()) throw UsageError("--out needs --stage.");
    must_be_able_to_hold_folders(options.out);
    // The folder that CONVKIT_HIDDEN names holds a folder for each stage.
    argv.insert(argv.end(), {"--out", (options.out / kit.stage(options.stage).id).string()});
  }
  if (options.check) argv.push_back("--check");
  if (options.list) argv.push_back("--list");
  std::vector<char*> pointers;
  for (std::string& arg : argv) pointers.push_back(arg.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execv(python.c_str(), pointers.data());
  throw KitError(fmt::format("{} cannot be started: {}.", python.string(), std::strerror(errno)));
}

class RefgenCommand final : public CliCommand {
 public:
  RefgenCommand()
      : CliCommand("refgen", "make reference data; with --seed, a hidden set",
                   "./convkit refgen --stage 1 --seed autumn-2026") {}

  void declare(const Options& options) override {
    options.value("--stage", o_.stage, kStageHelp).not_empty();
    const Option seed = options.value("--seed", o_.seed, "secret seed of a hidden set").not_empty();
    options
        .value("--seed-file", o_.seed_file,
               "the same from a file of one line; -: from standard input, at a terminal not shown")
        .not_empty()
        .excludes(seed);
    options.value("--out", o_.out, "the cases go to OUT/NN_name").not_empty();
    const Option proof =
        options.flag("--check", o_.check, "only prove that the committed data is reproduced");
    options.flag("--list", o_.list, "list the cases and their sizes, and make nothing")
        .excludes(proof);
  }
  int run(Kit& kit) override { return run_refgen(kit, o_); }

 private:
  RefgenOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> refgen_command() {
  return std::make_unique<RefgenCommand>();
}

}  // namespace convkit

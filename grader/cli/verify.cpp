// SPDX-License-Identifier: MIT
// `verify`: proves the kit sound, and shows the proof as a table.
#include "verify/verify.h"

#include <fmt/core.h>

#include <cstdio>
#include <future>

#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/handed_over.h"
#include "machine/console.h"
#include "stage/starter.h"

namespace convkit {
namespace {

struct VerifyOptions {
  std::vector<std::string> stages;
  bool speed = true;       // solutions must earn their speed points too
  bool references = true;  // reproduce every visible case
  bool handouts = true;    // run the commands of the handouts
  bool write_starter = false;
};

class Table {
 public:
  explicit Table(bool colour) : colour_(colour) {}

  void add(const Stage& stage, const Findings& findings) {
    for (const Finding& f : findings) {
      ++rows_;
      bad_ += !f.good;
      const char* mark = f.good ? "ok  " : "FAIL";
      const char* code = f.good ? "32" : "31";
      fmt::print("{}  {:<14} {:<13} {:<34} {}\n",
                 colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, mark) : mark, stage.id, f.status,
                 f.what, as_typed(f.message));
    }
    std::fflush(stdout);
  }
  int finish() const {
    fmt::print("\n{} of {} proofs hold.\n", rows_ - bad_, rows_);
    return bad_ == 0 ? 0 : 3;
  }

 private:
  bool colour_;
  int rows_ = 0, bad_ = 0;
};

int run_verify(const Kit& kit, const VerifyOptions& options) {
  std::vector<const Stage*> stages;
  for (const std::string& name : options.stages) stages.push_back(&kit.stage(name));
  if (stages.empty()) {
    kit.must_be_whole();
    for (const Stage& stage : kit.stages) stages.push_back(&stage);
  }
  Table table(use_colour());
  for (const Stage* stage : stages) {
    if (options.write_starter) write_starter(kit.solution(*stage), kit.starter(*stage));
    StatusLine status;
    const auto show = [&](const Findings& findings) {
      status.clear();
      table.add(*stage, findings);
    };
    // What runs other programs runs beside the rest, unless the rest is timed.
    const auto when = options.speed ? std::launch::deferred : std::launch::async;
    const auto started = [&](bool wanted, const auto& verify_it) {
      return std::async(when, [&kit, stage, wanted, verify_it] {
        return wanted ? verify_it(kit, *stage) : Findings();
      });
    };
    auto references = started(options.references, verify_references);
    auto handout = started(options.handouts, verify_handout);
    show(verify_starter_drift(kit, *stage));
    show(verify_starter(kit, *stage, status));
    show(verify_solution(kit, *stage, options.speed, status));
    show(verify_rungs(kit, *stage, status));
    show(verify_variants(kit, *stage, status));
    show(verify_texts(*stage));
    show(references.get());
    show(handout.get());
  }
  return table.finish();
}

class VerifyCommand final : public CliCommand {
 public:
  VerifyCommand() : CliCommand(kVerify.text) {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("--stage", o_.stages, "this stage only (may be repeated)");
    options.negative_flag("--no-speed", o_.speed, "do not measure the solutions' speed points");
    options.negative_flag("--no-references", o_.references, "do not reproduce the reference data");
    options.negative_flag("--no-handouts", o_.handouts, "do not run the handouts' commands");
    options.flag("--write-starter", o_.write_starter, "first write starter/ again from solutions/");
  }
  int run(Kit& kit) override {
    kit.must_have_solutions("verify");
    device_.apply(kit, o_.stages);
    return run_verify(kit, o_);
  }

 private:
  DeviceChoice device_;
  VerifyOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> verify_command() {
  return std::make_unique<VerifyCommand>();
}

}  // namespace convkit

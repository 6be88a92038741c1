// SPDX-License-Identifier: MIT
// `verify`: proves the kit sound, and shows the proof as a table.
#include "cli/verify.h"

#include <fmt/format.h>

#include <cstdio>

#include "stage/starter.h"

namespace convkit {
namespace {

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
                 f.what, f.message);
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

}  // namespace

int run_verify(const Kit& kit, const VerifyOptions& options) {
  std::vector<const Stage*> stages;
  for (const std::string& name : options.stages) stages.push_back(&find_stage(kit.stages, name));
  if (stages.empty()) {
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
    show(verify_starter_drift(kit, *stage));
    show(verify_starter(kit, *stage, status));
    show(verify_solution(kit, *stage, options.speed, status));
    show(verify_rungs(kit, *stage, status));
    show(verify_variants(kit, *stage, status));
    if (options.references) show(verify_references(kit, *stage));
    if (options.handouts) show(verify_handout(kit, *stage));
  }
  return table.finish();
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "grade/mend/mutant_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "convkit/kit_error.h"
#include "grade/judge_output.h"
#include "process/sandbox_user.h"
#include "repair/schema.h"

namespace convkit {

namespace fs = std::filesystem;

// On a busy machine a call may be over its limit and have run for a part of it only: it gets more.
constexpr double kUsedIfEndless = 0.5, kPatience = 10;

MutantRunner::MutantRunner(const ChangeRequest& request, const MutantProgram& program, size_t which)
    : options_(request.kit.session_options(request.stage, program.library(), request.mode)) {
  options_.sources = program.folder();
  const fs::path file = program.folder() / fmt::format("number_{}", which);
  number_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (number_ < 0) throw KitError(fmt::format("{} cannot be written.", file.string()));
  options_.environment.push_back(fmt::format("{}={}", repair::kNumberVariable, file.string()));
  options_.libraries.push_back(file);
  options_.open_libraries = true;
  open_to_sandbox(program.folder(), false);
}

MutantRunner::~MutantRunner() {
  close(number_);
}

bool MutantRunner::passes(int number, const CaseHead& head, const Trial& trial, double limit_s) {
  if (passes_within(number, head, trial, limit_s)) return true;
  const bool had_to_wait =
      ended_.kind == Ending::Kind::wall_timeout && used_s_ < kUsedIfEndless * limit_s;
  return had_to_wait && passes_within(number, head, trial, kPatience * limit_s);
}

bool MutantRunner::passes_within(int number, const CaseHead& head, const Trial& trial,
                                 double limit_s) {
  (void)!pwrite(number_, &number, sizeof number, 0);
  if (!session_ || !session_->alive()) session_ = std::make_unique<Session>(options_);
  session_->limit(std::chrono::milliseconds(static_cast<int64_t>(limit_s * 1e3)));
  SharedArena inputs(trial.inputs());
  for (size_t i = 0; i < inputs.tensors().size(); ++i) {
    const std::span<const std::byte> bytes = trial.input(i);
    std::memcpy(inputs.bytes(i).data(), bytes.data(), bytes.size());
  }
  SharedArena outputs(trial.outputs());
  outputs.poison();
  Answer answer = session_->start();
  if (answer.kind == Answer::Kind::ok) {
    answer = session_->prepare(head.op, trial.params(), inputs, outputs);
  }
  const double before_s = session_->own_time_s();
  if (answer.kind == Answer::Kind::ok) answer = session_->run();
  used_s_ = session_->own_time_s() - before_s;
  ended_ = answer.kind == Answer::Kind::ended ? answer.ending : Ending{};
  if (answer.kind != Answer::Kind::ok) {
    session_.reset();
    return false;
  }
  if (answer.reports.find_first_not_of(" ") != std::string::npos) return false;
  std::vector<Evidence> evidence = trial.references();
  for (size_t i = 0; i < evidence.size(); ++i) {
    const std::span<const std::byte> bytes = outputs.bytes(i);
    if (outputs.margin_after_touched(i) || outputs.margin_before_touched(i)) return false;
    if (evidence[i].reference.i32.empty()) {
      evidence[i].got.f32 = as<float>(bytes);
    } else {
      evidence[i].got.i32 = as<int32_t>(bytes);
    }
    if (!compared(evidence[i]).passed()) return false;
  }
  return !evidence.empty();
}

bool MutantRunner::reaches(int number, const CaseHead& head, const Trial& trial, double limit_s) {
  (void)passes(-number, head, trial, limit_s);
  return ended_.kind == Ending::Kind::exited && ended_.code == repair::kReached;
}

}  // namespace convkit

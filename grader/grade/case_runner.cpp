// SPDX-License-Identifier: MIT
#include "grade/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "grade/causes.h"
#include "grade/device/device_report.h"
#include "grade/device/device_work.h"
#include "grade/judge_output.h"
#include "grade/verdict.h"

namespace convkit {
namespace {

// An immediate crash takes little time, and the other cases of the function may still pass.
constexpr double kSlowSeconds = 1;
constexpr unsigned kMostSlowCrashes = 2;
constexpr size_t kPrintedBytes = 16 << 10;  // room for a sanitizer's report
// Runs after the first of an op that must give the same bits: two orders of a short sum often
// agree.
constexpr unsigned kRunsAgain = 2;

int64_t elements_of(const std::string& name, const SharedArena& inputs,
                    const SharedArena& outputs) {
  for (const SharedArena* arena : {&inputs, &outputs}) {
    for (const TensorSpec& tensor : arena->tensors()) {
      if (tensor.name == name) return static_cast<int64_t>(tensor.bytes() / size_of(tensor.dtype));
    }
  }
  return -1;
}

void describe(const DeviceReport& report, const CaseHead& head, CaseResult& result) {
  result.message = fmt::format("{}: {}", head.op, report.sentence);
  if (!report.place.empty()) result.message += fmt::format(" ({})", report.place);
  result.hint = report.advice;
  result.mistake = report.kind;
  result.by_device = true;
}

// "17 of 561 elements of `y` were never written: the grid of ...": the grader has counted itself.
// What stands before the colon of another report says what it is about.
std::string explanation(const DeviceReport& report) {
  std::string text = report.sentence.substr(report.sentence.find(": ") + 2);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + " " + report.advice;
}

// What the CPU device said of a failure.
std::optional<DeviceReport> report_of(const SubmissionCaller& caller, const Answer& answer) {
  if (!caller.options().check) return find_device_report(caller.printed());
  const auto report = find_deciding_report(caller.printed(), answer.reports);
  return report ? report : find_report_told(caller.printed(), answer.reports);
}

// On the CPU device a setting gives the order of blocks and threads; elsewhere the order changes by
// itself.
SessionOptions with_another_order(SessionOptions options, unsigned seed) {
  options.environment.push_back(fmt::format("CONVKIT_SIMT_SEED={}", seed));
  return options;
}

// A program may load elements that it does not use.
constexpr const char* kUnwrittenShared = "uninitialised_shared";
// Bytes of floats and integers that are large, and of such below zero: values that a comparison
// or a maximum does not drop, as it may drop NaN.
constexpr std::array kOtherPoisons = {0x7f, 0xfe};

SessionOptions with_poison(SessionOptions options, int byte) {
  options.environment.push_back(fmt::format("CONVKIT_SIMT_POISON={}", byte));
  return options;
}

// An access past the end of a tensor, in a case with padding.
bool is_outside_of_padded(const Answer& answer, const Params& params) {
  const auto pads = [&](const char* name) {
    const auto found = params.find(name);
    return found != params.end() && found->second.value > 0;
  };
  return answer.record.region == protocol::kAfterTensor && (pads("pad_h") || pads("pad_w"));
}

// The report of a failure begins with how the function was called, where the harness has said so.
void begin_with(const std::string& how, const std::string& op, CaseResult& result) {
  if (how.empty() || !has_failed(result.status)) return;
  std::string& text = result.message;
  if (text.starts_with(op + ": ")) {
    text.erase(0, op.size() + 2);
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  } else if (text.starts_with(op + " ")) {  // which may not be the function's name
    text.replace(0, op.size(), "It");
  }
  text.insert(0, how + " ");
  // Of a call that must be refused, a hint for what the function did after that leads astray.
  if (how.ends_with("touch nothing.")) result.hint.clear();
  if (!result.symptoms.facts.empty()) result.symptoms.facts.insert(0, how + " ");
}

constexpr const char* kNotLoaded = "Skipped: the submission could not be loaded.";

// What the CPU device gives for an undefined value has all bits set, and so has every NaN that is
// computed from it.
bool holds_undefined_words(const std::vector<std::byte>& output) {
  for (size_t at = 0; at + sizeof(uint32_t) <= output.size(); at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, output.data() + at, sizeof word);
    if (word == UINT32_MAX) return true;
  }
  return false;
}

// The names of the outputs that agree with their references.
std::vector<std::string> right_among(const Trial& trial,
                                     const std::vector<std::vector<std::byte>>& outputs) {
  std::vector<std::string> right;
  std::vector<Evidence> references = trial.references();
  for (size_t i = 0; i < references.size() && outputs.size() == references.size(); ++i) {
    Evidence& evidence = references[i];
    if (evidence.reference.i32.empty()) {
      evidence.got.f32 = as<float>(outputs[i]);
    } else {
      evidence.got.i32 = as<int32_t>(outputs[i]);
    }
    if (compared(evidence).passed()) right.push_back(evidence.got.name);
  }
  return right;
}

}  // namespace

CaseRunner::CaseRunner(const Stage& stage, const SessionOptions& options, bool reveal_hidden,
                       PartialBuild partial)
    : stage_(stage),
      reveal_hidden_(reveal_hidden),
      partial_(std::move(partial)),
      sides_{{Side(options), Side(options)}} {}

CaseResult CaseRunner::run(Case& one, unsigned most) {
  CaseResult result;
  try {
    result.status = Status::pass;
    for (unsigned i = 0; i < std::min(one.trials(), most) && result.status == Status::pass; ++i) {
      if (!may_run(one.head(), result)) break;
      const auto trial = one.trial(i);
      result = judged(one.head(), *trial);
      if (has_failed(result.status)) result.sizes = size_words(trial->params());
    }
  } catch (const std::exception& error) {
    // A case that Ctrl-C ended is not the submission's fault.
    result.status = interrupted() ? Status::pending : Status::grader_error;
    result.message =
        interrupted()
            ? "Interrupted before it was judged."
            : fmt::format("{} Your code was not judged on this case and no points were lost.",
                          error.what());
  }
  return named(std::move(result), one.head());
}

CaseResult CaseRunner::named(CaseResult result, const CaseHead& head) const {
  label(result, head);
  if (head.hidden && !reveal_hidden_) {
    // A message about a fault of the kit may come from the submission, in a forged reply.
    result.message = result.status == Status::grader_error
                         ? fmt::format(
                               "{} Your code was not judged on this case and no points were "
                               "lost. Staff: --reveal-hidden says why.",
                               head.summary)
                         : head.summary;
    result.left_out = LeftOut::no;  // the message does not tell why
    result.hint.clear();
    result.map.clear();
    result.sizes.clear();
    result.mistake.clear();
    result.printed.clear();
    result.aside.clear();
    result.explanation.clear();
    result.grid.clear();
    result.right_outputs.clear();
    result.symptoms = {};
  }
  return result;
}

bool CaseRunner::may_run(const CaseHead& head, CaseResult& result) const {
  // What hidden cases found out says nothing to a visible one.
  for (size_t i = 0; i <= (head.hidden ? 1 : 0); ++i) {
    const auto why = sides_[i].memory.given_up.find(head.op);
    if (sides_[i].memory.cannot_load.empty() && why == sides_[i].memory.given_up.end()) continue;
    const bool loads = sides_[i].memory.cannot_load.empty();
    result.status = Status::skipped;
    result.left_out = loads ? LeftOut::given_up : LeftOut::not_loaded;
    result.message = loads ? why->second : sides_[i].memory.cannot_load;
    return false;
  }
  return true;
}

CaseResult CaseRunner::judged(const CaseHead& head, Trial& trial) {
  CaseResult result = judged_once(head, trial);
  // Another function may have written to what this one reads, or changed how the processor rounds.
  // Once a function was wrong alone, that is its own doing: so the second run, however long it
  // takes, is one for each function that is at fault.
  Side& side = side_of(head);
  if (result.status != Status::wrong || !side.caller.ran_another_op() ||
      side.wrong_alone.contains(head.op)) {
    return result;
  }
  side.caller.finish();
  result = judged_once(head, trial);
  if (result.status == Status::wrong) side.wrong_alone.insert(head.op);
  return result;
}

CaseResult CaseRunner::judged_once(const CaseHead& head, Trial& trial) {
  CaseResult result;
  const SubmissionCaller& caller = side_of(head).caller;
  const auto called = call(side_of(head).caller, head, trial, result);
  if (!called && result.by_device && result.mistake == kUnwrittenShared &&
      !depends_on_fresh_memory(head, trial)) {
    CaseResult passed;
    passed.status = Status::pass;
    passed.printed = result.printed;
    // Notes begin with the op themselves.
    const bool begins_with_op = result.message.starts_with(head.op + ": ");
    passed.aside = result.message.substr(begins_with_op ? head.op.size() + 2 : 0) +
                   " The output is right whatever that memory holds.";
    return passed;
  }
  if (!called) return result;
  if (see_outputs_) see_outputs_(head, called->outputs);
  for (size_t i = 0; i < called->outputs.size(); ++i) {
    if (trial.judge(i, called->outputs[i], called->todo_reached, result)) continue;
    begin_with(called->how, head.op, result);
    result.right_outputs = right_among(trial, called->outputs);
    result.explanation = called->explained;
    result.grid = called->grid;
    drop_what_grid_contradicts(result.grid, result);
    if (called->left_behind && has_failed(result.status)) {
      if (!result.explanation.empty()) result.explanation += '\n';
      result.explanation += "Besides, " + called->left_words;
    }
    if (!result.explanation.empty()) result.message += "\n" + result.explanation;
    return result;
  }
  if (called->left_behind) return *called->left_behind;
  const auto& same = stage_.same_bits;
  if (std::ranges::find(same, head.op) != same.end() &&
      !same_bits_again(head, trial, called->outputs, result)) {
    return result;
  }
  if (caller.options().check &&
      !judge_work(stage_, head.op, called->outputs, called->work, result)) {
    return result;
  }
  result.status = Status::pass;
  return result;
}

std::optional<CaseRunner::Called> CaseRunner::call(SubmissionCaller& caller, const CaseHead& head,
                                                   const Trial& trial, CaseResult& result,
                                                   const std::string& but) {
  SharedArena inputs(trial.inputs());
  for (size_t i = 0; i < inputs.tensors().size(); ++i) {
    const std::span<const std::byte> bytes = trial.input(i);
    std::memcpy(inputs.bytes(i).data(), bytes.data(), bytes.size());
  }
  SharedArena outputs(trial.outputs());
  const Answer answer = caller.call(head, trial.params(), inputs, outputs);
  result.printed = caller.printed().substr(0, kPrintedBytes);
  const bool ran = answer.kind == Answer::Kind::ok || answer.kind == Answer::Kind::left_behind;
  if (!ran) {
    take_failure(caller, head, answer, elements_of(answer.record.tensor, inputs, outputs), result);
    begin_with(answer.call, head.op, result);
    if (result.status == Status::crashed && is_outside_of_padded(answer, trial.params())) {
      result.hint +=
          " This case has padding: is it subtracted from row and column, and is what then lies "
          "outside skipped?";
    }
    return std::nullopt;
  }
  // Right, perhaps, but by luck: a race, or memory that happened to hold the right thing.
  std::optional<CaseResult> left_behind;
  std::string left_words;
  if (answer.kind == Answer::Kind::left_behind) {
    left_behind = result;
    take_failure(caller, head, answer, -1, *left_behind);
    left_words = left_behind->message;
    begin_with(answer.call, head.op, *left_behind);
  }
  if (caller.options().check) {
    if (const auto report = find_deciding_report(caller.printed(), answer.reports, but)) {
      CaseResult reported = result;
      reported.status = Status::wrong;
      describe(*report, head, reported);
      begin_with(answer.call, head.op, reported);
      if (report->kind != kLeakKind) {
        result = std::move(reported);
        const auto grid = find_grid_report(caller.printed(), answer.reports);
        if (grid) result.message += "\n" + explanation(*grid);
        return std::nullopt;
      }
      left_behind = std::move(reported);
      left_words = report->sentence;
    }
    const auto noted = find_report_told(caller.printed(), answer.reports);
    const bool is_told = noted && (only_explains(noted->kind) || noted->kind == kLeakKind);
    if (noted && !is_told) result.aside = noted->sentence;
  }
  Called called{{}, answer.todo_reached > 0, answer.text,           "",
                "", std::move(left_behind),  std::move(left_words), answer.call};
  if (caller.options().check) {
    if (const auto grid = find_grid_report(caller.printed(), answer.reports)) {
      called.explained = explanation(*grid);
      called.grid = grid->kind;
    } else if (const auto left = find_report_of_returned(caller.printed(), answer.reports)) {
      called.explained = explanation(*left);
    }
  }
  for (size_t i = 0; i < outputs.tensors().size(); ++i) {
    // Copied once: from here on nothing the runner does can change what is judged.
    const std::span<std::byte> shared = outputs.bytes(i);
    called.outputs.emplace_back(shared.begin(), shared.end());
    if (!outputs.margin_after_touched(i) && !outputs.margin_before_touched(i)) continue;
    result.status = Status::crashed;
    result.message =
        fmt::format("{} wrote {} `{}`.", head.op,
                    outputs.margin_after_touched(i) ? "past the end of" : "before the beginning of",
                    outputs.tensors()[i].name);
    result.hint =
        "An index left the tensor: check the loop bounds and the order of the dimensions.";
    begin_with(answer.call, head.op, result);
    return std::nullopt;
  }
  if (called.explained.empty() && std::ranges::any_of(called.outputs, holds_undefined_words)) {
    const auto lane = find_report_of_lane(caller.printed(), answer.reports);
    if (lane) called.explained = explanation(*lane);
  }
  return called;
}

void CaseRunner::take_failure(const SubmissionCaller& caller, const CaseHead& head,
                              const Answer& answer, int64_t elements, CaseResult& result) {
  Side& side = side_of(head);
  if (const auto lacks = partial_.verdict_of(answer)) {
    result.status = lacks->status;
    result.message = lacks->message;
    if (caller.loading_failed()) side.memory.cannot_load = kNotLoaded;
    return;
  }
  const Verdict verdict =
      verdict_of(answer, stage_, caller.loading_failed() ? "" : head.op, elements);
  result.status = verdict.status;
  result.message = verdict.message;
  result.hint = verdict.hint;
  // The CPU device has seen more than an error code, a signal or an exit code tells.
  const bool may_be_reported = answer.kind == Answer::Kind::cuda_failure ||
                               (caller.options().device && answer.kind == Answer::Kind::ended &&
                                result.status == Status::crashed);
  if (may_be_reported) {
    const auto report = report_of(caller, answer);
    if (report && (!caller.options().check || decides(report->kind))) {
      describe(*report, head, result);
    } else if (report) {  // beside the failure, which says more
      result.message += fmt::format("\nBesides, {}", report->sentence);
      if (result.hint.empty()) result.hint = report->advice;
    }
  }
  if (verdict.status == Status::grader_error) return;  // the next case may find the kit mended
  if (caller.loading_failed()) {
    side.memory.cannot_load = kNotLoaded;
  } else if (was_cut_off(verdict.status)) {
    side.memory.given_up[head.op] = fmt::format("Skipped: {} ended with {} in case {}.", head.op,
                                                name_of(verdict.status), head.name);
  } else if (verdict.status == Status::crashed && answer.seconds > kSlowSeconds &&
             ++side.memory.slow_crashes[head.op] == kMostSlowCrashes) {
    side.memory.given_up[head.op] =
        fmt::format("Skipped: {} crashed in {} cases and took more than {:g} s each time.", head.op,
                    kMostSlowCrashes, kSlowSeconds);
  }
}

bool CaseRunner::same_bits_again(const CaseHead& head, const Trial& trial,
                                 std::span<const std::vector<std::byte>> first,
                                 CaseResult& result) {
  Side& side = side_of(head);
  while (side.again.size() < kRunsAgain) {
    const auto seed = static_cast<unsigned>(side.again.size()) + 1;
    side.again.push_back(
        std::make_unique<SubmissionCaller>(with_another_order(side.caller.options(), seed)));
  }
  const std::vector<TensorSpec> tensors = trial.outputs();
  for (const auto& caller : side.again) {
    const auto called = call(*caller, head, trial, result);
    if (!called) return false;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!judge_same_bits(head.op, tensors[i], first[i], called->outputs[i], result)) return false;
    }
  }
  return true;
}

bool CaseRunner::depends_on_fresh_memory(const CaseHead& head, Trial& trial) {
  Side& side = side_of(head);
  if (side.otherwise.empty()) {
    for (const int byte : kOtherPoisons) {
      side.otherwise.push_back(
          std::make_unique<SubmissionCaller>(with_poison(side.caller.options(), byte)));
    }
  }
  for (const auto& caller : side.otherwise) {
    CaseResult result;
    const auto called = call(*caller, head, trial, result, kUnwrittenShared);
    if (!called) return true;
    for (size_t i = 0; i < called->outputs.size(); ++i) {
      if (!trial.judge(i, called->outputs[i], called->todo_reached, result)) return true;
    }
  }
  return false;
}

template <class Visit>
void CaseRunner::for_each_caller(const Visit& visit) {
  for (Side& side : sides_) {
    visit(side.caller);
    for (const auto& caller : side.again) visit(*caller);
    for (const auto& caller : side.otherwise) visit(*caller);
  }
}

void CaseRunner::finish() {
  for_each_caller([](SubmissionCaller& caller) { caller.finish(); });
}

double CaseRunner::own_time_s() {
  double sum = 0;
  for_each_caller([&](const SubmissionCaller& caller) { sum += caller.own_time_s(); });
  return sum;
}

std::optional<CaseResult> CaseRunner::take_forged() {
  std::optional<CaseHead> forger;
  for_each_caller([&](SubmissionCaller& caller) {
    if (!forger) forger = caller.take_forger();
  });
  if (!forger) return std::nullopt;
  CaseResult forged;
  forged.status = Status::policy;
  forged.message = fmt::format(
      "{} wrote to the grader's channel: it sent a reply that the grader had not asked for.",
      forger->op);
  return named(std::move(forged), *forger);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "grade/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "compare/compare.h"
#include "compare/diagnose.h"
#include "grade/device_report.h"
#include "grade/verdict.h"
#include "stage/kit_error.h"

namespace convkit {
namespace {

// A crash that comes at once costs nobody time, and the function's other cases may well pass.
constexpr double kSlowCrashSeconds = 1;
constexpr unsigned kMostSlowCrashes = 2;
constexpr size_t kPrintedBytes = 16 << 10;  // room for a sanitizer's report

template <class T>
std::span<const T> as(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

CaseTensor tensor_of(const std::string& name, const NpyArray& array) {
  CaseTensor tensor{name, array.dims, {}, {}, {}};
  const std::span<const std::byte> bytes(array.bytes);
  if (array.dtype == DType::float32) tensor.f32 = as<float>(bytes);
  if (array.dtype == DType::float64) tensor.f64 = as<double>(bytes);
  if (array.dtype == DType::int32) tensor.i32 = as<int32_t>(bytes);
  return tensor;
}

using Tensors = std::map<std::string, NpyArray>;

SharedArena inputs_of(const CaseSpec& spec, const Tensors& tensors) {
  std::vector<TensorSpec> specs;
  for (const std::string& name : spec.inputs) {
    const NpyArray& array = tensors.at("in." + name);
    specs.push_back({name, array.dtype, array.dims});
  }
  return SharedArena(std::move(specs));
}

SharedArena outputs_of(const CaseSpec& spec, const Tensors& tensors) {
  std::vector<TensorSpec> specs;
  for (const OutputSpec& output : spec.outputs) {
    const NpyArray& expected = tensors.at("out." + output.name);
    specs.push_back({output.name, expected.dtype == DType::int32 ? DType::int32 : DType::float32,
                     expected.dims});
  }
  return SharedArena(std::move(specs));
}

// A bound of NaN fails every output and an infinite one passes any: neither is the student's doing.
void check_magnitude(std::span<const double> magnitude, const CaseSpec& spec,
                     const OutputSpec& output) {
  if (std::all_of(magnitude.begin(), magnitude.end(),
                  [](double value) { return value >= 0 && std::isfinite(value); })) {
    return;
  }
  throw KitError(fmt::format("mag.{} in {} holds a value that is negative or not finite.",
                             output.name, spec.file.string()));
}

// Compares one output; false and the words of the failure where it is wrong.
bool judge_output(const Stage& stage, const CaseSpec& spec, const OutputSpec& output,
                  const Tensors& tensors, std::span<const std::byte> got, bool todo_reached,
                  CaseResult& result) {
  const NpyArray& expected = tensors.at("out." + output.name);
  const auto magnitude = tensors.find("mag." + output.name);
  Evidence evidence;
  evidence.op = spec.op;
  for (const auto& [name, param] : spec.params) evidence.params[name] = param.value;
  for (const std::string& name : spec.inputs) {
    evidence.inputs.push_back(tensor_of(name, tensors.at("in." + name)));
  }
  evidence.reference = tensor_of(output.name, expected);
  evidence.got = {output.name, expected.dims, {}, {}, {}};
  evidence.tolerance = {output.terms, stage.unit_roundoff, stage.factor};
  if (magnitude != tensors.end()) {
    evidence.magnitude = magnitude->second.values<double>();
    check_magnitude(evidence.magnitude, spec, output);
  }
  if (expected.dtype == DType::int32) {
    evidence.got.i32 = as<int32_t>(got);
    evidence.comparison = compare_int(evidence.got.i32, evidence.reference.i32);
  } else {
    evidence.got.f32 = as<float>(got);
    evidence.comparison =
        compare(evidence.got.f32, evidence.reference.f64, evidence.magnitude, evidence.tolerance);
  }
  if (evidence.comparison.passed()) return true;
  if (todo_reached && evidence.comparison.unwritten == evidence.comparison.elements) {
    result.status = Status::not_started;
    result.message = fmt::format("Task {} is not started: {} wrote nothing.", spec.task, spec.op);
    return false;
  }
  Diagnosis diagnosis = diagnose(evidence);
  result.status = Status::wrong;
  result.message = std::move(diagnosis.message);
  result.map = std::move(diagnosis.map);
  result.hint = std::move(diagnosis.hint);
  result.mistake = std::move(diagnosis.id);
  return false;
}

int64_t elements_of(const std::string& name, const SharedArena& inputs,
                    const SharedArena& outputs) {
  for (const SharedArena* arena : {&inputs, &outputs}) {
    for (const TensorSpec& tensor : arena->tensors()) {
      if (tensor.name == name) return static_cast<int64_t>(tensor.bytes() / size_of(tensor.dtype));
    }
  }
  return -1;
}

void describe(const DeviceReport& report, const CaseSpec& spec, CaseResult& result) {
  result.message = fmt::format("{}: {}", spec.op, report.sentence);
  if (!report.place.empty()) result.message += fmt::format(" ({})", report.place);
  result.hint = report.advice;
  result.mistake = report.kind;
}

}  // namespace

CaseRunner::CaseRunner(const Stage& stage, SessionOptions options, bool reveal_hidden)
    : stage_(stage), options_(std::move(options)), reveal_hidden_(reveal_hidden) {}

CaseResult CaseRunner::run(const CaseSpec& spec) {
  CaseResult result;
  try {
    result = judged(spec);
  } catch (const std::exception& error) {
    result.status = Status::grader_error;
    result.message = fmt::format(
        "{} Your code was not judged on this case and no points were lost.", error.what());
  }
  return named(std::move(result), spec);
}

CaseResult CaseRunner::named(CaseResult result, const CaseSpec& spec) const {
  result.name = spec.name;
  result.group = spec.group;
  result.task = spec.task;
  result.op = spec.op;
  result.hidden = spec.hidden;
  if (spec.hidden && !reveal_hidden_) {
    // What the kit would say of its own fault may be a submission's words: a forged reply.
    result.message = result.status == Status::grader_error
                         ? fmt::format(
                               "{} Your code was not judged on this case and no points were "
                               "lost. Staff: --reveal-hidden says why.",
                               spec.summary)
                         : spec.summary;
    result.hint.clear();
    result.map.clear();
    result.mistake.clear();
    result.printed.clear();
  }
  return result;
}

CaseResult CaseRunner::judged(const CaseSpec& spec) {
  CaseResult result;
  if (!cannot_load_.empty()) {
    result.status = Status::skipped;
    result.message = cannot_load_;
    return result;
  }
  if (const auto why = given_up_.find(spec.op); why != given_up_.end()) {
    result.status = Status::skipped;
    result.message = why->second;
    return result;
  }
  const Tensors tensors = load_tensors(spec);
  SharedArena inputs = inputs_of(spec, tensors);
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    const NpyArray& array = tensors.at("in." + spec.inputs[i]);
    std::memcpy(inputs.bytes(i).data(), array.bytes.data(), array.bytes.size());
  }
  SharedArena outputs = outputs_of(spec, tensors);

  const Answer answer = call(spec, inputs, outputs);
  result.printed = printed_.substr(0, kPrintedBytes);
  if (answer.kind != Answer::Kind::ok) {
    const Verdict verdict = verdict_of(answer, stage_, loading_failed_ ? "" : spec.op,
                                       elements_of(answer.record.tensor, inputs, outputs));
    result.status = verdict.status;
    result.message = verdict.message;
    result.hint = verdict.hint;
    // The CPU device has seen more than an error code, a signal or an exit code tells.
    const bool may_be_reported =
        answer.kind == Answer::Kind::cuda_failure ||
        (options_.device && answer.kind == Answer::Kind::ended && result.status == Status::crashed);
    if (may_be_reported) {
      if (const auto report = find_device_report(printed_)) {
        describe(*report, spec, result);
      }
    }
    if (loading_failed_) {
      cannot_load_ = "Skipped: the submission could not be loaded.";
    } else if (verdict.status == Status::timed_out || verdict.status == Status::limit) {
      given_up_[spec.op] = fmt::format("Skipped: {} ended with {} in case {}.", spec.op,
                                       name_of(verdict.status), spec.name);
    } else if (verdict.status == Status::crashed && answer.seconds > kSlowCrashSeconds &&
               ++slow_crashes_[spec.op] == kMostSlowCrashes) {
      given_up_[spec.op] =
          fmt::format("Skipped: {} crashed in {} cases and took more than {:g} s each time.",
                      spec.op, kMostSlowCrashes, kSlowCrashSeconds);
    }
    return result;
  }

  // Right, perhaps, but by luck: a race, or memory that happened to hold the right thing.
  if (options_.check) {
    if (const auto report = find_device_report(printed_)) {
      result.status = Status::wrong;
      describe(*report, spec, result);
      return result;
    }
  }
  result.status = Status::pass;
  for (size_t i = 0; i < spec.outputs.size(); ++i) {
    // Copied once: from here on nothing the runner does can change what is judged.
    const std::span<std::byte> shared = outputs.bytes(i);
    const std::vector<std::byte> got(shared.begin(), shared.end());
    const std::string& name = spec.outputs[i].name;
    if (outputs.margin_after_touched(i) || outputs.margin_before_touched(i)) {
      result.status = Status::crashed;
      result.message = fmt::format(
          "{} wrote {} `{}`.", spec.op,
          outputs.margin_after_touched(i) ? "past the end of" : "before the beginning of", name);
      result.hint =
          "An index left the tensor: check the loop bounds and the order of the dimensions.";
      return result;
    }
    if (!judge_output(stage_, spec, spec.outputs[i], tensors, got, answer.todo_reached > 0,
                      result)) {
      return result;
    }
  }
  return result;
}

// A submission that damaged its own process in an earlier case would crash in this one: only what
// happens in a fresh process counts against a case.
Answer CaseRunner::call(const CaseSpec& spec, const SharedArena& inputs, SharedArena& outputs) {
  const bool fresh = !session_ || runs_in_session_ == 0;
  Answer answer = call_in_session(spec, inputs, outputs);
  if (forged_before_) note_forgery();
  in_session_ = spec;
  // After an exception it still runs, but memory or threads may be used up.
  const bool failed = answer.kind == Answer::Kind::ended ||
                      answer.kind == Answer::Kind::exception ||
                      answer.kind == Answer::Kind::cuda_failure;
  // Nor is what was printed or forged by then this case's doing.
  const bool may_be_inherited =
      failed || answer.kind == Answer::Kind::output_limit || answer.kind == Answer::Kind::tampered;
  const bool process_is_gone = may_be_inherited || answer.kind == Answer::Kind::timed_out ||
                               answer.kind == Answer::Kind::load_failed;
  if (process_is_gone) session_.reset();
  if (may_be_inherited && !fresh) {
    answer = call_in_session(spec, inputs, outputs);
    if (answer.kind != Answer::Kind::ok) session_.reset();
  }
  return answer;
}

// A case whose reply was forged is judged by what it had put out by then; its true reply, or a
// further forged one, then waits for the next request.
void CaseRunner::note_forgery() {
  if (!in_session_) return;
  CaseResult forged;
  forged.status = Status::policy;
  forged.message = fmt::format(
      "{} wrote to the grader's own channel: a reply was sent that the grader had not asked for.",
      in_session_->op);
  forged_ = named(std::move(forged), *in_session_);
}

void CaseRunner::finish() try {
  if (!session_ || !in_session_) return;
  const Tensors tensors = load_tensors(*in_session_);
  SharedArena inputs = inputs_of(*in_session_, tensors);
  SharedArena outputs = outputs_of(*in_session_, tensors);
  const Answer answer = session_->prepare(in_session_->op, in_session_->params, inputs, outputs);
  if (answer.kind == Answer::Kind::tampered) note_forgery();
  session_.reset();
} catch (const std::exception&) {  // the case was judged; only the question cannot be put
  session_.reset();
}

std::optional<CaseResult> CaseRunner::take_forged() {
  return std::exchange(forged_, std::nullopt);
}

Answer CaseRunner::call_in_session(const CaseSpec& spec, const SharedArena& inputs,
                                   SharedArena& outputs) {
  outputs.poison();
  if (!session_) {
    session_ = std::make_unique<Session>(options_);
    runs_in_session_ = 0;
  }
  // What a static initialiser prints comes before the first case and belongs to it.
  const size_t printed_before = runs_in_session_ == 0 ? 0 : session_->output().size();
  ++runs_in_session_;
  Answer answer = session_->start();
  loading_failed_ = answer.kind != Answer::Kind::ok;
  if (answer.kind == Answer::Kind::ok) {
    answer = session_->prepare(spec.op, spec.params, inputs, outputs);
  }
  // Nothing of this case has run yet.
  forged_before_ = answer.kind == Answer::Kind::tampered && runs_in_session_ > 1;
  if (answer.kind == Answer::Kind::ok) answer = session_->run();
  printed_ = session_->output().substr(std::min(printed_before, session_->output().size()));
  return answer;
}

}  // namespace convkit

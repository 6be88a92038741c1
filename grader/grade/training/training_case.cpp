// SPDX-License-Identifier: MIT
#include "grade/training/training_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "compare/judge.h"
#include "convkit/digits.h"
#include "grade/training/judge.h"
#include "grade/training/network_evidence.h"

namespace convkit {
namespace {

class TrainingCase final : public Case {
 public:
  TrainingCase(const TrainingTable& table, const TrainingAmounts& amounts, std::string seed,
               TrainingShelf& shelf)
      : table_(table),
        amounts_(amounts),
        head_{table.name, table.op, table.task, table.group, table.title + ".", table.hidden},
        seed_(std::move(seed)),
        shelf_(shelf) {}

  const CaseHead& head() const override { return head_; }
  CaseKind kind() const override { return CaseKind::training; }
  unsigned trials() const override { return amounts_.seeds; }
  std::unique_ptr<Trial> trial(unsigned index) override;
  std::optional<std::chrono::seconds> own_limit() const override { return amounts_.wall; }

 private:
  friend class TrainingTrial;

  const TrainingTable& table_;
  const TrainingAmounts& amounts_;
  CaseHead head_;
  std::string seed_;
  TrainingShelf& shelf_;
  std::vector<TrainingRun> runs_;
};

// One run of a training. The last one judges them all.
class TrainingTrial final : public Trial {
 public:
  TrainingTrial(TrainingCase& training, unsigned index)
      : training_(training),
        data_(training.shelf_.of(training.table_.data)),
        params_(amounts().params),
        seed_(fmt::format("{}\n{}", training.seed_, index)),
        draw_(data_.draw(amounts(), training.table_.permuted, seed_)) {
    params_["seed"] = {static_cast<double>(draw_.seed), true};
    training.runs_.emplace_back();
    run().seed = draw_.seed;
    run().expected = draw_.expected;
    run().original = draw_.original;
  }

  const Params& params() const override { return params_; }
  std::vector<TensorSpec> inputs() const override {
    return {{"images", DType::uint8, {amounts().train, kDigitSize, kDigitSize}},
            {"labels", DType::uint8, {amounts().train}},
            {"queries", DType::uint8, {amounts().held_back, kDigitSize, kDigitSize}}};
  }
  std::vector<TensorSpec> outputs() const override {
    std::vector<TensorSpec> outputs = {{"losses", DType::float32, {amounts().epochs()}},
                                       {"answers", DType::int32, {amounts().held_back}}};
    if (const auto& network = amounts().network) {
      outputs.push_back({"part_losses", DType::float32, {amounts().parts()}});
      outputs.push_back(
          {"states", DType::float32, {amounts().parts() + 1, parameters_of(*network)}});
    }
    return outputs;
  }
  std::span<const std::byte> input(size_t index) const override {
    const std::vector<uint8_t>* all[] = {&draw_.images, &draw_.labels, &draw_.queries};
    return std::as_bytes(std::span(*all[index]));
  }

  bool judge(size_t output, std::span<const std::byte> got, bool todo_reached,
             CaseResult& result) override {
    const auto patterns = as<uint32_t>(got);
    const std::string& op = training_.head().op;
    if (todo_reached && std::ranges::all_of(patterns, is_unwritten)) {
      tell_not_started(training_.head(), result);
      return false;
    }
    if (output == 0) {
      const std::span<const float> losses = as<float>(got);
      run().losses.assign(losses.begin(), losses.end());
      return judge_losses(run(), op, result);
    }
    if (output == 2) {
      const std::span<const float> losses = as<float>(got);
      history_.part_losses.assign(losses.begin(), losses.end());
      return true;
    }
    if (output == 3) return judge_states(as<float>(got), result);
    const std::span<const int32_t> answers = as<int32_t>(got);
    run().answers.assign(answers.begin(), answers.end());
    if (!judge_answers(run(), op, result)) return false;
    if (training_.runs_.size() < amounts().seeds) return true;
    const double least = data_.synthetic() ? amounts().synthetic : amounts().accuracy;
    return judge_training(training_.runs_, {least, amounts().seeds, data_.name()}, result);
  }

 private:
  const TrainingAmounts& amounts() const { return training_.amounts_; }
  TrainingRun& run() { return training_.runs_.back(); }
  bool judge_states(std::span<const float> states, CaseResult& result) {
    history_.states = states;
    if (!judge_history(history_, training_.head().op, result)) return false;
    const auto parts = parts_to_train_again(amounts(), history_, seed_);
    const auto evidence = evidence_of(amounts(), draw_, run(), history_, parts);
    return judge_network(evidence, history_, result);
  }

  TrainingCase& training_;
  const TrainingData& data_;
  Params params_;
  std::string seed_;
  TrainingDraw draw_;
  NetworkHistory history_;
};

std::unique_ptr<Trial> TrainingCase::trial(unsigned index) {
  if (index == 0) runs_.clear();
  return std::make_unique<TrainingTrial>(*this, index);
}

}  // namespace

std::vector<std::unique_ptr<Case>> training_cases(const Stage& stage, const std::string& seed,
                                                  bool hidden, bool on_gpu, TrainingShelf& shelf) {
  std::vector<std::unique_ptr<Case>> cases;
  for (const TrainingTable& table : stage.training) {
    if (table.hidden != hidden) continue;
    cases.push_back(std::make_unique<TrainingCase>(table, on_gpu ? table.on_gpu : table.on_cpu,
                                                   fmt::format("training {}\n{}", table.name, seed),
                                                   shelf));
  }
  return cases;
}

const TrainingData& TrainingShelf::of(Dataset dataset) {
  auto& data = data_[dataset];
  if (data) return *data;
  data = std::make_unique<TrainingData>(dataset, root_);
  if (data->synthetic()) {
    note_ = fmt::format(
        "{} was not found: training was judged on synthetic digits, "
        "by the share of right answers that is required for them. "
        "Run datasets/fetch.py to get the files, or set CONVKIT_DATA to their folder.",
        dataset == Dataset::mnist ? "MNIST" : "Fashion-MNIST");
  }
  return *data;
}

void point_to_failing_functions(const std::vector<CaseResult>& cases, bool reveal_hidden,
                                CaseResult& training) {
  if (training.status != Status::wrong || (training.hidden && !reveal_hidden)) return;
  std::vector<std::string> names;
  for (const CaseResult& c : cases) {
    const bool not_told = c.op == training.op || (c.hidden && !reveal_hidden);
    if (!has_failed(c.status) || not_told) continue;
    if (std::ranges::find(names, c.op) == names.end()) names.push_back(c.op);
  }
  if (names.empty()) return;
  const std::string which =
      names.size() == 1 ? fmt::format("{} fails its own cases: fix that", names.front())
                        : fmt::format("{} fail their own cases: fix these", fmt::join(names, ", "));
  training.hint = which + " first." + (training.hint.empty() ? "" : " " + training.hint);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "grade/training_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/judge.h"
#include "convkit/digits.h"
#include "convkit/sha256.h"
#include "grade/training_verdict.h"

namespace convkit {
namespace {

// One run of a training. The last one judges them all.
class TrainingTrial final : public CaseMaterial {
 public:
  TrainingTrial(const TrainingCase& training, const TrainingAmounts& amounts,
                const TrainingData& data, unsigned run, std::vector<TrainingRun>& runs)
      : training_(training), amounts_(amounts), data_(data), runs_(runs), params_(amounts.params) {
    draw_ = data.draw(amounts, training.table->permuted, fmt::format("{}\n{}", training.seed, run));
    params_["seed"] = {static_cast<double>(draw_.seed), true};
    runs_.emplace_back();
    runs_.back().seed = draw_.seed;
    runs_.back().expected = draw_.expected;
    runs_.back().original = draw_.original;
  }

  const Params& params() const override { return params_; }
  std::vector<TensorSpec> inputs() const override {
    return {{"images", DType::uint8, {amounts_.train, kDigitSize, kDigitSize}},
            {"labels", DType::uint8, {amounts_.train}},
            {"queries", DType::uint8, {amounts_.held_back, kDigitSize, kDigitSize}}};
  }
  std::vector<TensorSpec> outputs() const override {
    return {{"losses", DType::float32, {amounts_.epochs()}},
            {"answers", DType::int32, {amounts_.held_back}}};
  }
  std::span<const std::byte> input(size_t index) const override {
    const std::vector<uint8_t>* all[] = {&draw_.images, &draw_.labels, &draw_.queries};
    return std::as_bytes(std::span(*all[index]));
  }

  bool judge(size_t output, std::span<const std::byte> got, bool todo_reached,
             CaseResult& result) override {
    const auto patterns = as<uint32_t>(got);
    if (todo_reached && std::ranges::all_of(patterns, is_unwritten)) {
      result.status = Status::not_started;
      result.message =
          fmt::format("Task {} is not started: {} wrote nothing.", spec().task, spec().op);
      return false;
    }
    TrainingRun& run = runs_.back();
    if (output == 0) {
      const std::span<const float> losses = as<float>(got);
      run.losses.assign(losses.begin(), losses.end());
      return judge_losses(run, spec().op, result);
    }
    const std::span<const int32_t> answers = as<int32_t>(got);
    run.answers.assign(answers.begin(), answers.end());
    if (!judge_answers(run, spec().op, result)) return false;
    if (runs_.size() < amounts_.seeds) return true;
    const double least = data_.synthetic() ? amounts_.synthetic : amounts_.accuracy;
    return judge_training(runs_, {least, amounts_.seeds, data_.name()}, result);
  }

 private:
  const CaseSpec& spec() const { return training_.spec; }

  const TrainingCase& training_;
  const TrainingAmounts& amounts_;
  const TrainingData& data_;
  std::vector<TrainingRun>& runs_;
  Params params_;
  TrainingDraw draw_;
};

}  // namespace

std::vector<TrainingCase> training_cases(const Stage& stage, const std::string& seed, bool hidden) {
  std::vector<TrainingCase> cases;
  for (const TrainingTable& table : stage.training) {
    if (table.hidden != hidden) continue;
    TrainingCase training;
    training.spec.name = table.name;
    training.spec.op = table.op;
    training.spec.task = table.task;
    training.spec.group = table.group;
    training.spec.summary = table.title + ".";
    training.spec.hidden = hidden;
    training.table = &table;
    training.seed = fmt::format("training {}\n{}", table.name, seed);
    cases.push_back(std::move(training));
  }
  return cases;
}

std::string seed_of_files(const std::filesystem::path& folder,
                          const std::vector<std::string>& files) {
  std::vector<std::string> sorted = files;
  std::ranges::sort(sorted);
  std::string text;
  for (const std::string& file : sorted) {
    text += fmt::format("{}\n{}\n", file, sha256_file(folder / file));
  }
  return sha256_hex(text);
}

const TrainingData& TrainingShelf::of(Dataset dataset) {
  auto& data = data_[dataset];
  if (data) return *data;
  data = std::make_unique<TrainingData>(dataset, root_);
  if (data->synthetic()) {
    note_ = fmt::format(
        "{} was not found: training was judged on synthetic digits, by the share of right answers "
        "that is asked for there. datasets/fetch.py brings the files, or CONVKIT_DATA names them.",
        dataset == Dataset::mnist ? "MNIST" : "Fashion-MNIST");
  }
  return *data;
}

CaseResult run_training(CaseRunner& runner, const TrainingCase& training,
                        const TrainingAmounts& amounts, TrainingShelf& shelf) {
  std::vector<TrainingRun> runs;
  return runner.run(training.spec, amounts.seeds, [&](unsigned run) {
    return std::make_unique<TrainingTrial>(training, amounts, shelf.of(training.table->data), run,
                                           runs);
  });
}

}  // namespace convkit

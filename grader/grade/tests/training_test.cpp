// SPDX-License-Identifier: MIT
// What is said of a training's answers and losses, and what is drawn for it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>

#include "catch.h"
#include "convkit/kit_error.h"
#include "convkit/sentinel.h"
#include "grade/training/evidence.h"
#include "grade/training/judge.h"
#include "grade/training/training_case.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

constexpr size_t kAnswers = 1000;

// A run whose answer for image i, of class i % 10, is answer(i).
TrainingRun run_of(const std::function<int(int)>& answer, std::vector<float> losses = {2, 0.8f}) {
  TrainingRun run;
  run.seed = 7;
  run.losses = std::move(losses);
  for (size_t i = 0; i < kAnswers; ++i) {
    run.expected.push_back(static_cast<uint8_t>(i % 10));
    run.answers.push_back(answer(static_cast<int>(i)));
  }
  run.original = run.expected;
  return run;
}

// The first `wrong` of a thousand answers miss by one class.
TrainingRun with_wrong(int wrong, std::vector<float> losses = {2, 0.8f}) {
  return run_of([=](int i) { return i < wrong ? (i + 1) % 10 : i % 10; }, std::move(losses));
}

int guess(int i) {
  return (i / 10 + i * 7) % 10;
}

CaseResult judged(const std::vector<TrainingRun>& runs, double accuracy = 0.9) {
  CaseResult result;
  const bool good =
      judge_training(runs, {accuracy, static_cast<unsigned>(runs.size()), "MNIST"}, result);
  CHECK(good == result.mistake.empty());
  return result;
}

TEST_CASE("a training passes on the mean of its runs and says each") {
  const CaseResult result = judged({with_wrong(20), with_wrong(120)});
  CHECK(result.message ==
        "Of 1000 images held back, 98.0 % with seed 7, 88.0 % with seed 7 were answered right "
        "(MNIST). Required: 90.0 %.");
  CHECK(result.status != Status::wrong);
}

TEST_CASE("too few right answers are low accuracy with the pair confused most") {
  const CaseResult result = judged({with_wrong(120), with_wrong(280)});
  CHECK(result.mistake == "low_accuracy");
  CHECK_THAT(result.message, Catch::Contains("On average 80.0 % of 1000 images held back were "
                                             "answered right (MNIST); 90.0 % are required."));
  CHECK_THAT(result.message,
             Catch::Contains("The most frequent confusion: class 0 was answered for 40 of 200 "
                             "images of class 9."));
  CHECK(result.status == Status::wrong);
}

TEST_CASE("the hint of a low accuracy follows from the loss") {
  CHECK_THAT(judged({with_wrong(500, {2, 0.05f})}).hint,
             Catch::Contains("the way it answers must be wrong"));
  CHECK_THAT(judged({with_wrong(500, {2.2f, 2.2f})}).hint, Catch::Contains("does not fall"));
  CHECK_THAT(judged({with_wrong(500, {2.29f})}).hint, Catch::Contains("ln 10 = 2.303"));
  CHECK_THAT(judged({with_wrong(500, {2, 1})}).hint, Catch::Contains("but not enough"));
}

TEST_CASE("constant answers are named with the class") {
  const CaseResult result = judged({run_of([](int) { return 7; }), run_of([](int) { return 7; })});
  CHECK(result.mistake == "constant_answers");
  CHECK_THAT(result.message, Catch::StartsWith("All 1000 answers are 7."));
}

TEST_CASE("answers at chance are told from low accuracy") {
  const CaseResult result = judged({run_of(guess)});
  CHECK(result.mistake == "answers_at_chance");
  CHECK_THAT(result.message, Catch::Contains("guessing gets about 100."));
  // Twice as good as guessing is not guessing.
  CHECK(judged({with_wrong(800)}).mistake == "low_accuracy");
}

TEST_CASE("answers under other names are told with the names") {
  const CaseResult result = judged({run_of([](int i) { return (i + 1) % 10; })});
  CHECK(result.mistake == "labels_renamed");
  CHECK_THAT(result.message, Catch::Contains("separates the classes (100.0 %)"));
  CHECK_THAT(result.message, Catch::Contains("1 for 0, 2 for 1"));
}

TEST_CASE("a model brought along knows the usual names only") {
  std::vector<TrainingRun> runs;
  for (int shift : {3, 4}) {
    runs.push_back(run_of([](int i) { return i < 50 ? guess(i) : i % 10; }));
    for (uint8_t& label : runs.back().expected) label = static_cast<uint8_t>((label + shift) % 10);
  }
  const CaseResult result = judged(runs);
  CHECK(result.mistake == "model_brought_along");
  CHECK_THAT(result.message,
             Catch::Contains("were not learned from the `labels` of this training"));
}

TEST_CASE("one run that is much worse than another is told from low accuracy") {
  const TrainingRun bad = run_of(guess, {2.3f, 2.3f});
  CHECK(judged({with_wrong(20), bad}).mistake == "seed_dependent");
  CHECK(judged({bad, with_wrong(20)}).mistake == "seed_dependent");
  CHECK(judged({with_wrong(90), with_wrong(120)}).mistake == "low_accuracy");
}

TEST_CASE("a loss that is NaN is named with its epoch") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CaseResult result;
  CHECK(judge_losses(with_wrong(0, {2, 1}), "train", result));
  CHECK_FALSE(judge_losses(with_wrong(0, {2, 0.5f, nan}), "train", result));
  CHECK(result.mistake == "nan_loss");
  CHECK(result.message ==
        "The mean loss is NaN in epoch 3 of 3 (seed 7). The epoch before it ended at 0.5.");
  CHECK_FALSE(judge_losses(with_wrong(0, {INFINITY}), "train", result));
  CHECK_THAT(result.message, Catch::StartsWith("The mean loss is infinite in epoch 1 of 1"));
  std::vector<float> unwritten(2, 1.0f);
  fill_sentinel(&unwritten[1], sizeof(float));
  CHECK_FALSE(judge_losses(with_wrong(0, unwritten), "train", result));
  CHECK(result.mistake == "loss_not_written");
  CHECK_THAT(result.message, Catch::Contains("`losses[1]`, the mean loss of epoch 2 of 2"));
}

TEST_CASE("answers that are missing or no class are named with the first") {
  CaseResult result;
  CHECK(judge_answers(with_wrong(0), "train", result));
  CHECK_FALSE(judge_answers(run_of([](int i) { return i % 10 + 1; }), "train", result));
  CHECK(result.mistake == "answers_out_of_range");
  CHECK(result.message ==
        "100 of 1000 answers are not a class from 0 to 9; the first: answers[9] is 10.");
  CHECK_THAT(result.hint, Catch::Contains("counted from 0"));
  CHECK_FALSE(judge_answers(run_of([](int i) { return -i; }), "train", result));
  CHECK(result.hint.empty());
  const auto missing = [](int i) { return i < 992 ? 1 : static_cast<int>(kSentinelBits); };
  CHECK_FALSE(judge_answers(run_of(missing), "train", result));
  CHECK(result.mistake == "answers_missing");
  CHECK(result.message == "train left 8 of 1000 answers unwritten; the first is answers[992].");
  CHECK_THAT(result.hint, Catch::Contains("last batch"));
}

TrainingAmounts amounts() {
  TrainingAmounts some;
  some.train = 300;
  some.held_back = 200;
  return some;
}

TEST_CASE("a seed decides what a training is given") {
  const test::TemporaryFolder empty;
  ::unsetenv("CONVKIT_DATA");
  const TrainingData data(Dataset::mnist, empty / "root");
  CHECK(data.synthetic());
  CHECK(data.name() == "synthetic digits");
  const TrainingDraw a = data.draw(amounts(), false, "one");
  const TrainingDraw again = data.draw(amounts(), false, "one");
  const TrainingDraw b = data.draw(amounts(), false, "two");
  CHECK((a.images == again.images && a.queries == again.queries && a.seed == again.seed));
  CHECK((a.images != b.images && a.queries != b.queries && a.seed != b.seed));
  CHECK((a.images.size() == 300 * 784 && a.labels.size() == 300));
  CHECK((a.queries.size() == 200 * 784 && a.expected.size() == 200));
  CHECK(a.expected == a.original);
  CHECK((a.seed >= 0 && a.seed <= std::numeric_limits<int32_t>::max()));
}

TEST_CASE("permuted labels leave no class its name and agree on both sides") {
  const test::TemporaryFolder empty;
  ::unsetenv("CONVKIT_DATA");
  const TrainingData data(Dataset::mnist, empty / "root");
  std::set<std::vector<int>> seen;
  for (const std::string seed : {"a", "b", "c", "d"}) {
    const TrainingDraw draw = data.draw(amounts(), true, seed);
    const TrainingDraw plain = data.draw(amounts(), false, seed);
    CHECK(draw.images == plain.images);
    std::vector<int> names(kClasses, -1);
    const auto agree = [&](const auto& renamed, const auto& original) {
      for (size_t i = 0; i < renamed.size(); ++i) {
        int& name = names[original[i]];
        if (name < 0) name = renamed[i];
        CHECK(name == renamed[i]);
        CHECK(renamed[i] != original[i]);
      }
    };
    agree(draw.labels, plain.labels);
    agree(draw.expected, draw.original);
    CHECK(std::set<int>(names.begin(), names.end()).size() == kClasses);
    seen.insert(names);
  }
  CHECK(seen.size() > 1);
}

}  // namespace
}  // namespace convkit

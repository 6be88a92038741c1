// SPDX-License-Identifier: MIT
#include "grade/training/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "compare/judge.h"

namespace convkit {
namespace {

// Answers this good under other names are not an accident.
constexpr double kKnows = 0.5;
// Two runs this far apart differ by more than luck.
constexpr double kFarApart = 0.1;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

// "97.3 % with seed 11, 96.8 % with seed 12"
std::string each_run(std::span<const TrainingRun> runs) {
  std::string text;
  for (const TrainingRun& run : runs) {
    text += fmt::format("{}{} with seed {}", text.empty() ? "" : ", ", percent(run.accuracy()),
                        run.seed);
  }
  return text;
}

// Names what the answers are right for, where that is not the labels that were given.
bool judge_names(std::span<const TrainingRun> runs, CaseResult& result) {
  const double accuracy = accuracy_of(confusion_of(runs, Labels::expected));
  const double original = accuracy_of(confusion_of(runs, Labels::original));
  if (original > kKnows) {
    return refuse(
        result, "model_brought_along",
        fmt::format("The ten labels were renamed before training. The answers are right by "
                    "their usual names ({}), not by those that were given ({}).\n"
                    "So the answers were not learned from the `labels` of this training.",
                    percent(original), percent(accuracy)),
        "Does the training read `labels`, and does it keep nothing from an earlier training? "
        "Start from random weights and learn only from the arguments.");
  }
  const auto renaming = renaming_of(confusion_of(runs, Labels::expected));
  if (!renaming || renaming->accuracy <= kKnows) return true;
  std::string names;
  for (size_t answer = 0; answer < renaming->label.size(); ++answer) {
    const int label = renaming->label[answer];
    if (label == static_cast<int>(answer)) continue;
    names += fmt::format("{}{} for {}", names.empty() ? "" : ", ", answer, label);
  }
  return refuse(
      result, "labels_renamed",
      fmt::format("The network separates the classes ({}) but gives them other names than "
                  "`labels`: {}. Under these names, {} are right.",
                  percent(renaming->accuracy), names, percent(accuracy)),
      "An answer is the index of the largest of ten scores, "
      "counted from 0, in the order of `labels`.");
}

// No run is better than guessing.
bool judge_guesses(std::span<const TrainingRun> runs, CaseResult& result) {
  const TrainingRun& last = runs.back();
  const LossStory story = loss_story(runs);
  if (const auto same = constant_answer(last)) {
    const std::string hint =
        "The scores do not depend on the image, or one is always the largest: "
        "all weights are zero, every ReLU is dead after a step that "
        "was too large, or only the first image of a batch is used.";
    return refuse(
        result, "constant_answers",
        fmt::format("All {} answers are {}. {}", last.answers.size(), *same, story.sentence), hint);
  }
  if (!judge_names(runs, result)) return false;
  return refuse(
      result, "answers_at_chance",
      fmt::format(
          "Of the {} images held back, {} were answered right ({}); guessing gets about {}. {}",
          last.answers.size(), last.right(), percent(last.accuracy()),
          last.answers.size() / kClasses, story.sentence),
      story.hint);
}

}  // namespace

bool refuse(CaseResult& result, const char* mistake, std::string message, std::string hint) {
  result.status = Status::wrong;
  result.mistake = mistake;
  result.message = std::move(message);
  result.hint = std::move(hint);
  return false;
}

bool judge_losses(const TrainingRun& run, std::string_view op, CaseResult& result) {
  for (size_t epoch = 0; epoch < run.losses.size(); ++epoch) {
    const float loss = run.losses[epoch];
    if (is_unwritten(std::bit_cast<uint32_t>(loss)) ||
        is_from_unwritten(std::bit_cast<uint32_t>(loss))) {
      return refuse(result, "loss_not_written",
                    fmt::format("{} did not write `losses[{}]`, the mean loss of epoch {} of {}.",
                                op, epoch, epoch + 1, run.losses.size()),
                    "");
    }
    if (std::isfinite(loss)) continue;
    const std::string before =
        epoch == 0 ? std::string()
                   : fmt::format(" The epoch before it ended at {:.3g}.", run.losses[epoch - 1]);
    return refuse(
        result, "nan_loss",
        fmt::format("The mean loss is {} in epoch {} of {} (seed {}).{}",
                    std::isnan(loss) ? "NaN" : "infinite", epoch + 1, run.losses.size(), run.seed,
                    before),
        epoch == 0
            ? "Check softmax and logarithm first: subtract the largest score before exp(), and "
              "never take the logarithm of 0. Then check the first weights and the gradients."
            : "It learned until then, so the steps grow: do momentum and weight decay have the "
              "right sign, is a gradient a sum where it should be a mean, is the logarithm taken "
              "of a probability that has become 0?");
  }
  return true;
}

bool judge_answers(const TrainingRun& run, std::string_view op, CaseResult& result) {
  size_t missing = 0, outside = 0, first_missing = 0, first_outside = 0;
  bool counted_from_one = true;
  for (size_t i = 0; i < run.answers.size(); ++i) {
    const int32_t answer = run.answers[i];
    if (is_unwritten(std::bit_cast<uint32_t>(answer))) {
      if (missing++ == 0) first_missing = i;
    } else if (answer < 0 || answer >= kClasses) {
      if (outside++ == 0) first_outside = i;
    }
    counted_from_one = counted_from_one && answer >= 1 && answer <= kClasses;
  }
  if (missing > 0) {
    const bool tail = missing == run.answers.size() - first_missing && first_missing > 0;
    return refuse(
        result, "answers_missing",
        fmt::format("{} left {} of {} answers unwritten; the first is answers[{}].", op, missing,
                    run.answers.size(), first_missing),
        tail ? "They are the last ones: is the last batch, which may be smaller, answered as well?"
             : "");
  }
  if (outside == 0) return true;
  return refuse(
      result, "answers_out_of_range",
      fmt::format("{} of {} answers are not a class from 0 to 9; the first: answers[{}] is {}.",
                  outside, run.answers.size(), first_outside, run.answers[first_outside]),
      counted_from_one ? "All of them are between 1 and 10; classes are counted from 0." : "");
}

bool judge_training(std::span<const TrainingRun> runs, const TrainingDemand& demand,
                    CaseResult& result) {
  double sum = 0, worst = 1, best = 0;
  for (const TrainingRun& run : runs) {
    sum += run.accuracy();
    worst = std::min(worst, run.accuracy());
    best = std::max(best, run.accuracy());
  }
  const double mean = sum / static_cast<double>(runs.size());
  const size_t asked = runs.back().answers.size();
  if (mean >= demand.accuracy) {
    result.message =
        fmt::format("Of {} images held back, {} were answered right ({}). Required: {}.", asked,
                    each_run(runs), demand.data, percent(demand.accuracy));
    return true;
  }
  if (best <= chance_level(asked)) return judge_guesses(runs, result);
  const LossStory story = loss_story(runs);
  if (best >= demand.accuracy && worst < best - kFarApart) {
    return refuse(result, "seed_dependent",
                  fmt::format("One run is much worse than another: {} of {} images held back were "
                              "answered right. The required average is {}.",
                              each_run(runs), asked, percent(demand.accuracy)),
                  "The runs differ only in the seed. Is every random number drawn from it, "
                  "are the first weights scaled by their number of inputs, "
                  "is the learning rate close to where training diverges?");
  }
  std::string message = fmt::format(
      "On average {} of {} images held back were answered right ({}); {} are required. {}",
      percent(mean), asked, demand.data, percent(demand.accuracy), story.sentence);
  if (runs.size() > 1) message += fmt::format("\n{}.", each_run(runs));
  if (const auto confused = most_confused(confusion_of(runs, Labels::expected));
      !confused.empty()) {
    message += "\n" + confused;
  }
  return refuse(result, "low_accuracy", std::move(message), story.hint);
}

}  // namespace convkit

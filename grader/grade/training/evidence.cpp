// SPDX-License-Identifier: MIT
#include "grade/training/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace convkit {

size_t TrainingRun::right() const {
  size_t count = 0;
  for (size_t i = 0; i < answers.size(); ++i) count += answers[i] == expected[i];
  return count;
}

double TrainingRun::accuracy() const {
  return static_cast<double>(right()) / static_cast<double>(answers.size());
}

double chance_level(size_t answers) {
  const double chance = 1.0 / kClasses;
  return chance + 4 * std::sqrt(chance * (1 - chance) / static_cast<double>(answers));
}

std::optional<int> constant_answer(const TrainingRun& run) {
  const int32_t first = run.answers.front();
  const bool all = std::ranges::all_of(run.answers, [&](int32_t a) { return a == first; });
  return all ? std::optional(first) : std::nullopt;
}

Confusion confusion_of(std::span<const TrainingRun> runs, Labels labels) {
  Confusion confusion{};
  for (const TrainingRun& run : runs) {
    const auto& truth = labels == Labels::expected ? run.expected : run.original;
    for (size_t i = 0; i < truth.size(); ++i) {
      ++confusion[static_cast<size_t>(run.answers[i])][truth[i]];
    }
  }
  return confusion;
}

namespace {

size_t total_of(const Confusion& confusion) {
  size_t total = 0;
  for (const auto& row : confusion) total += std::accumulate(row.begin(), row.end(), size_t{0});
  return total;
}

}  // namespace

double accuracy_of(const Confusion& confusion) {
  size_t right = 0;
  for (size_t k = 0; k < confusion.size(); ++k) right += confusion[k][k];
  return static_cast<double>(right) / static_cast<double>(total_of(confusion));
}

std::optional<Renaming> renaming_of(const Confusion& confusion) {
  Renaming renaming;
  std::array<bool, kClasses> taken{};
  size_t right = 0;
  for (size_t answer = 0; answer < confusion.size(); ++answer) {
    const auto& row = confusion[answer];
    const auto label = static_cast<size_t>(std::ranges::max_element(row) - row.begin());
    if (taken[label]) return std::nullopt;
    taken[label] = true;
    right += row[label];
    renaming.label[answer] = static_cast<int>(label);
  }
  renaming.accuracy = static_cast<double>(right) / static_cast<double>(total_of(confusion));
  return renaming;
}

std::string most_confused(const Confusion& confusion) {
  size_t most = 0, answered = 0, label = 0;
  for (size_t a = 0; a < confusion.size(); ++a) {
    for (size_t t = 0; t < confusion.size(); ++t) {
      if (a != t && confusion[a][t] > most) most = confusion[a][t], answered = a, label = t;
    }
  }
  if (most == 0) return "";
  size_t images = 0;
  for (const auto& row : confusion) images += row[label];
  return fmt::format(
      "The most frequent confusion: class {} was answered for {} of {} images of class {}.",
      answered, most, images, label);
}

LossStory loss_story(std::span<const TrainingRun> runs) {
  // A mean loss at which most training images must be answered right.
  constexpr double kLearned = 0.35;
  const std::vector<float>& losses = runs.back().losses;
  const double first = losses.front(), last = losses.back(), guessing = std::log(kClasses);
  LossStory story;
  story.sentence =
      losses.size() == 1
          ? fmt::format("The mean loss of its one epoch was {:.3g}.", last)
          : fmt::format("The loss went from {:.3g} in the first epoch to {:.3g} in the last.",
                        first, last);
  if (last < kLearned) {
    story.hint =
        "The loss is as low as that of a network that has learned, so the way it answers must be "
        "wrong. Are queries scaled as the training images are, is dropout off, does batch "
        "normalisation use its running statistics, is the largest score taken over the classes?";
  } else if (losses.size() > 1 && last >= 0.98 * first) {
    story.hint =
        "The loss does not fall. Does the update go against the gradient, are gradients cleared "
        "before each batch, does each parameter get its own gradient, is the learning rate used?";
  } else if (last > 0.9 * guessing) {
    story.hint = fmt::format(
        "Guessing costs ln 10 = {:.3f}, so almost nothing was learned: are the weights drawn at "
        "random, do gradients reach the first layer, is every image given with its own label?",
        guessing);
  } else {
    story.hint =
        "It learns, but not enough in this time. Does every epoch see all "
        "images, in a new order; are gradients divided by the batch's size "
        "once; are weights scaled by their number of inputs?";
  }
  return story;
}

}  // namespace convkit

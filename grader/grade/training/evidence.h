// SPDX-License-Identifier: MIT
// What the answers and losses of a training show.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convkit/datasets.h"

namespace convkit {

// One run: what it put out, and what was right.
struct TrainingRun {
  int64_t seed = 0;
  std::vector<float> losses;      // of each epoch
  std::vector<int32_t> answers;   // of each image held back
  std::vector<uint8_t> expected;  // their labels, as they were renamed for this run
  std::vector<uint8_t> original;  // as in the data set

  size_t right() const;
  double accuracy() const;
};

// How many of `answers` images guessing may get right: what four in 100,000 guessers surpass.
double chance_level(size_t answers);

// The class that every answer of a run names, if there is one.
std::optional<int> constant_answer(const TrainingRun& run);

// Of all runs together, how often each class was answered for each label: [answer][label].
using Confusion = std::array<std::array<size_t, kClasses>, kClasses>;
enum class Labels { expected, original };
Confusion confusion_of(std::span<const TrainingRun> runs, Labels labels);
// The share on the diagonal.
double accuracy_of(const Confusion& confusion);

// If each answer means one label and no two answers mean the same: the label of each answer, and
// what share would then be right.
struct Renaming {
  std::array<int, kClasses> label{};
  double accuracy = 0;
};
std::optional<Renaming> renaming_of(const Confusion& confusion);

// "4 was answered for 31 of 98 images of a 9." Of the pair that is confused most; "" where none is.
std::string most_confused(const Confusion& confusion);

// "The loss went from 2.31 to 0.48." of the last run, and what follows from it.
struct LossStory {
  std::string sentence, hint;
};
LossStory loss_story(std::span<const TrainingRun> runs);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The [[training]] tables as cases: a submission trains on images drawn for it and answers for
// others, whose labels never leave the grader.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grade/case.h"
#include "grade/training/draw.h"
#include "report/result.h"

namespace convkit {

// The data sets that have been read.
class TrainingShelf {
 public:
  explicit TrainingShelf(std::filesystem::path root) : root_(std::move(root)) {}
  const TrainingData& of(Dataset dataset);
  // A note about the data set, once it was read: synthetic digits replaced it. Otherwise "".
  std::string take_note() { return std::exchange(note_, ""); }

 private:
  std::filesystem::path root_;
  std::map<Dataset, std::unique_ptr<TrainingData>> data_;
  std::string note_;
};

// The cases of a stage; of the hidden tables or of the others. `stage` and `shelf` must outlive
// them.
std::vector<std::unique_ptr<Case>> training_cases(const Stage& stage, const std::string& seed,
                                                  bool hidden, bool on_gpu, TrainingShelf& shelf);

// What to mend before a training that is wrong.
// A training is made of functions that have cases of their own, and these have run before it: its
// hint begins with those that failed. Of hidden cases it says nothing, unless `reveal_hidden`.
void point_to_failing_functions(const std::vector<CaseResult>& cases, bool reveal_hidden,
                                CaseResult& training);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The images of one run of a training: what the submission is given, and what is kept from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "convkit/datasets.h"
#include "stage/training_table.h"

namespace convkit {

struct TrainingDraw {
  int64_t seed = 0;                     // for the submission
  std::vector<uint8_t> images, labels;  // given: [train][28][28], [train]
  std::vector<uint8_t> queries;         // given: [held_back][28][28]
  std::vector<uint8_t> expected;        // kept: [held_back], named as `labels` are
  std::vector<uint8_t> original;        // kept: as in the data set
};

// A data set that training cases draw from; read once.
class TrainingData {
 public:
  // Looks where load_images() does. Throws KitError where files are there but damaged.
  TrainingData(Dataset dataset, const std::filesystem::path& root);

  // The files are not there: synthetic digits are drawn in their place.
  bool synthetic() const { return train_.count == 0; }
  // "MNIST", "Fashion-MNIST" or "synthetic digits".
  std::string name() const;

  // `seed` decides everything: which images, their order, the run's own seed, and the names of the
  // labels where `permuted`; then no class keeps its name. No image is drawn twice. Throws KitError
  // where there are not so many.
  TrainingDraw draw(const TrainingAmounts& amounts, bool permuted, const std::string& seed) const;

 private:
  Dataset dataset_;
  LabelledImages train_, test_;
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Checkpoints: a training as an .npz that NumPy opens. Everything that going on needs is in it.
#pragma once

#include "history.h"
#include "options.h"
#include "submission.h"

namespace convkit::train {

struct Checkpoint {
  int64_t step = 0;  // steps done
  int epoch = 0;     // whole epochs done
  History history;
  // For the current epoch: sum of losses over images, right answers, images.
  double loss_sum = 0;
  int64_t right = 0, images = 0;
};

// Replaces the file as a whole, or leaves it as it was. Throws std::runtime_error naming it.
void save(const std::filesystem::path& file, const Network& network, const Options& options,
          int64_t data_count, const Checkpoint& state);

// Takes over what a checkpoint says of the training (batch, learning rate, seed, ...): options
// given on the command line that differ are refused, but for --epochs. Returns the network's text.
// Throws UsageError.
std::string read_settings(const std::filesystem::path& file, Options& options);

// Fills the network. Throws UsageError: a damaged file, another network (naming the layer that
// differs), other data.
Checkpoint restore(const std::filesystem::path& file, const Network& network, int64_t data_count);

}  // namespace convkit::train

// SPDX-License-Identifier: MIT
// A part of a training, done again by the grader: float32 on the CPU, in an order of sums of its
// own. Reads the rules of assignments/07_mnist_cnn/mnist_cnn.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convkit/thread_pool.h"
#include "stage/training_table.h"

namespace convkit {

class Replay {
 public:
  // `images` [n][28][28], `labels` [n], both outlive it. The steps are those of `amounts`, the
  // order of the images is that of `seed`.
  Replay(const TrainingAmounts& amounts, std::span<const uint8_t> images,
         std::span<const uint8_t> labels, int64_t seed);
  ~Replay();

  // Trained numbers of the network: weight [m][c][kh][kw] and bias [m] of each layer in turn.
  size_t parameters() const { return m_.size(); }

  struct Part {
    std::vector<float> values;  // of the network after it
    double loss = 0;            // mean over the images
  };
  // Steps `first` to `last` - 1 from these parameters. The optimizer goes on from the last call.
  Part train(std::span<const float> values, int64_t first, int64_t last);

  // The optimizer begins anew, with this step.
  void forget(int64_t step);

  // The class with the largest score for an image [28][28].
  int answer(std::span<const float> values, std::span<const uint8_t> image);

 private:
  class Slice;

  // Makes the first slice's gradient that of the batch, of these images; the sum of their losses.
  double add_gradients(std::span<const float> values, std::span<const int64_t> batch);
  void update(std::vector<float>& values, std::span<const float> gradient, int64_t step);

  const TrainingAmounts& amounts_;
  std::span<const uint8_t> images_, labels_;
  uint64_t seed_;
  // Always as many: the order of the sums, and so every bit, is the same on any machine.
  std::vector<Slice> slices_;
  ThreadPool pool_;
  std::vector<float> m_, v_;
  int64_t since_ = 0;  // the optimizer's first step
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// A part of a training, done again by the grader: float32 on the CPU, in an order of sums of its
// own. Reads the rules of assignments/07_mnist_cnn/mnist_cnn.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convkit/architecture.h"
#include "stage/training_table.h"

namespace convkit {

class Replay {
 public:
  // `images` [n][28][28], `labels` [n], both outlive it. The steps are those of `amounts`, the
  // order of the images is that of `seed`.
  Replay(const TrainingAmounts& amounts, std::span<const uint8_t> images,
         std::span<const uint8_t> labels, int64_t seed);

  // Trained numbers of the network: weight [m][c][kh][kw] and bias [m] of each layer in turn.
  size_t parameters() const { return size_; }

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
  struct Layer {
    LayerSpec spec;
    size_t weight = 0, bias = 0;  // where they lie
    std::vector<float> x, dx;     // its input, and the gradient of it
    std::vector<float> patches;   // [taps][places] of x
    int64_t taps() const { return int64_t{spec.in.c} * spec.kh * spec.kw; }
    int64_t places() const { return int64_t{spec.out.h} * spec.out.w; }
    int64_t weights() const { return spec.out.c * taps(); }
  };

  void forward(std::span<const float> values, std::span<const uint8_t> image);
  // The loss of the image that was given to forward(); its gradients are added, times `scale`.
  double backward(std::span<const float> values, int label, float scale);
  void backward_product(Layer& layer, std::span<const float> values, std::span<const float> dy,
                        bool wants_dx);
  void update(std::vector<float>& values, int64_t step);

  const TrainingAmounts& amounts_;
  std::span<const uint8_t> images_, labels_;
  uint64_t seed_;
  std::vector<Layer> layers_;
  std::vector<float> scores_;
  std::vector<float> gradient_, m_, v_;
  std::vector<float> transposed_, product_;
  size_t size_ = 0;
  int64_t since_ = 0;  // the optimizer's first step
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// A stage made for the tests of trainings: `train` calls the submission's train_classifier, and
// `doubles` is there because a stage has stored cases, too.
#include "runner/harness.h"

#include <array>

namespace convkit::harness {
namespace {

using Train = void(const uint8_t* images, const uint8_t* labels, int64_t train,
                   const uint8_t* queries, int64_t held_back, int64_t seed, int64_t epochs,
                   double lr, float* losses, int32_t* answers);
using Doubles = void(const float* x, float* y, int64_t n);

Launch train(const Call& call) {
  return [function = call.entry<Train>("train_classifier"), images = call.input<uint8_t>("images"),
          labels = call.input<uint8_t>("labels"), count = call.dims("images")[0],
          queries = call.input<uint8_t>("queries"), held_back = call.dims("queries")[0],
          seed = call.integer("seed"), epochs = call.integer("epochs"), lr = call.real("lr"),
          losses = call.output<float>("losses"), answers = call.output<int32_t>("answers")] {
    function(images, labels, count, queries, held_back, seed, epochs, lr, losses, answers);
  };
}

Launch doubles(const Call& call) {
  return [function = call.entry<Doubles>("doubles"), x = call.input<float>("x"),
          y = call.output<float>("y"), n = call.integer("n")] { function(x, y, n); };
}

}  // namespace

std::span<const Op> stage_ops() {
  static constexpr std::array kOps = {Op{"train", train}, Op{"doubles", doubles}};
  return kOps;
}

}  // namespace convkit::harness

// SPDX-License-Identifier: MIT
#include "grade/training/network_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grade/seeds.h"
#include "grade/training/judge.h"
#include "grade/training/replay.h"

namespace convkit {
namespace {

constexpr size_t kImageBytes = 28 * 28;
constexpr size_t kImagesAsked = 500;  // of those held back
// The grader does some 5e9 products a second on one core.
constexpr double kProductsAgain = 20e9;

// A cause that a training shares with its functions, which have cases of their own.
constexpr const char* kSeeFunctions =
    "Do the gradients, the update and the loss follow the formulas of the handout? If their own "
    "cases fail, look at these first. ";

// On average over the parts. The solution has 0.99 and more, a training with the same order in
// every epoch 0.58, the straight way to another trained network 0.15 and less.
constexpr double kLeastDirection = 0.4;
// A part that goes this much farther than a training, and elsewhere, is a jump. Trainings with a
// wrong order or gradient go 0.8 to 1.3 times as far.
constexpr double kJump = 2.5, kElsewhere = 0.4;
// A network that has not learned is right by chance; one that begins better was brought along.
constexpr double kMostStart = 0.6;
constexpr double kLeastOwn = 0.9;
// Of the weights and of the bias of each layer, over the parts together. The lowest of stage 07's
// trainings on the CPU device, each part repeated (the last two: MNIST and Fashion-MNIST only):
//                                       conv1       conv2       dense1      dense2
//                                     w     b     w     b     w     b     w     b
//   the solution: cosine (6 nonces)  .991  .994  .993  .996  .995  .988  .998  .998
//                 length             1.00  .991  1.00  .999  .998  .997  .999  .999
//   same order in every epoch        .850  .921  .903  .921  .715  .743  .761  .845
//   half the rate: cosine            .796  .725  .780  .643  .785  .695  .807  .810
//                  length            .520  .326  .525  .486  .509  .560  .522  .544
// An array that stays as it was has 0 and 0.
constexpr double kLeastArrayDirection = 0.25, kLeastArrayLength = 0.05;
// An array whose way is this small a share of the whole way, in both trainings, moved by rounding.
constexpr double kNoWay = 1e-6;
// Losses of a part, on the submission's word and repeated, differ by less than this factor.
constexpr double kLossFactor = 2.5, kLossRoom = 0.05;

// Two ways from one place: their squared lengths and inner product.
struct Ways {
  double own = 0, again = 0, both = 0;

  // From a to b, and from a to c.
  void add(std::span<const float> a, std::span<const float> b, std::span<const float> c) {
    for (size_t i = 0; i < a.size(); ++i) {
      const double u = double{b[i]} - a[i], v = double{c[i]} - a[i];
      own += u * u, again += v * v, both += u * v;
    }
  }
  double direction() const { return own > 0 && again > 0 ? both / std::sqrt(own * again) : 0; }
  double length() const { return again > 0 ? std::sqrt(own / again) : 0; }
};

// Where the weights or the bias of a layer lie among the parameters.
struct ArrayPlace {
  std::string name;
  size_t begin, size;
};

std::vector<ArrayPlace> arrays_of(const Architecture& network) {
  std::vector<ArrayPlace> places;
  size_t begin = 0;
  int convolutions = 0, products = 0;
  for (const LayerSpec& layer : network.layers) {
    const bool conv = layer.kind == "conv";
    if (!conv && layer.kind != "dense") continue;
    const std::string name = fmt::format("{}{}", layer.kind, conv ? ++convolutions : ++products);
    const auto outputs = static_cast<size_t>(layer.out.c);
    const auto taps = static_cast<size_t>(layer.in.c) *
                      (conv ? static_cast<size_t>(layer.kh) * static_cast<size_t>(layer.kw) : 1);
    places.push_back({fmt::format("the weights of {}", name), begin, outputs * taps});
    places.push_back({fmt::format("the bias of {}", name), begin + outputs * taps, outputs});
    begin += outputs * (taps + 1);
  }
  return places;
}

}  // namespace

int64_t parameters_of(const Architecture& network) {
  int64_t sum = 0;
  for (const LayerSpec& layer : network.layers) {
    const int64_t taps =
        layer.kind == "conv" ? int64_t{layer.in.c} * layer.kh * layer.kw : layer.in.c;
    if (layer.kind == "conv" || layer.kind == "dense") sum += layer.out.c * (taps + 1);
  }
  return sum;
}

namespace {

std::span<const float> state_of(const TrainingAmounts& amounts, const NetworkHistory& history,
                                int64_t index) {
  const auto size = static_cast<size_t>(parameters_of(*amounts.network));
  return history.states.subspan(static_cast<size_t>(index) * size, size);
}

// Multiplications of a training: forward, and twice as many backward.
double products_of(const TrainingAmounts& amounts) {
  double forward = 0;
  for (const LayerSpec& layer : amounts.network->layers) {
    if (layer.kind == "conv") forward += 1.0 * layer.out.size() * layer.in.c * layer.kh * layer.kw;
    if (layer.kind == "dense") forward += 1.0 * layer.out.c * layer.in.c;
  }
  return 3 * forward * static_cast<double>(amounts.train * amounts.epochs());
}

}  // namespace

std::vector<int64_t> parts_to_train_again(const TrainingAmounts& amounts,
                                          const NetworkHistory& history, const std::string& seed) {
  std::vector<int64_t> parts(static_cast<size_t>(amounts.parts()));
  std::iota(parts.begin(), parts.end(), int64_t{0});
  if (products_of(amounts) <= kProductsAgain) return parts;
  const auto way = [&](int64_t part) {
    const auto from = state_of(amounts, history, part), to = state_of(amounts, history, part + 1);
    double sum = 0;
    for (size_t i = 0; i < from.size(); ++i) sum += std::pow(double{to[i]} - from[i], 2);
    return sum;
  };
  const int64_t farthest = *std::ranges::max_element(parts, {}, way);
  const auto drawn = static_cast<int64_t>(random_of(seed, "parts")() % parts.size());
  if (drawn == farthest) return {farthest};
  return {std::min(drawn, farthest), std::max(drawn, farthest)};
}

NetworkEvidence evidence_of(const TrainingAmounts& amounts, const TrainingDraw& draw,
                            const TrainingRun& run, const NetworkHistory& history,
                            std::span<const int64_t> parts) {
  Replay replay(amounts, draw.images, draw.labels, draw.seed);
  const auto state = [&](int64_t index) { return state_of(amounts, history, index); };
  NetworkEvidence evidence;
  const size_t all = run.answers.size(), stride = (all + kImagesAsked - 1) / kImagesAsked;
  for (size_t i = 0; i < all; i += stride) {
    const auto image = std::span(draw.queries).subspan(i * kImageBytes, kImageBytes);
    evidence.start += replay.answer(state(0), image) == draw.original[i];
    evidence.own += replay.answer(state(amounts.parts()), image) == run.answers[i];
  }
  const auto asked = static_cast<double>((all + stride - 1) / stride);
  evidence.start /= asked;
  evidence.own /= asked;
  const std::vector<ArrayPlace> places = arrays_of(*amounts.network);
  std::vector<Ways> ways(places.size());
  Ways all_ways;
  int64_t next = 0;
  for (const int64_t part : parts) {
    if (part != next) replay.forget(amounts.first_step(part));
    next = part + 1;
    const Replay::Part again =
        replay.train(state(part), amounts.first_step(part), amounts.first_step(part + 1));
    const std::span<const float> repeated = again.values;
    Ways whole;
    whole.add(state(part), state(part + 1), repeated);
    all_ways.again += whole.again;
    evidence.parts.push_back({part, whole.direction(), whole.length(), again.loss});
    for (size_t k = 0; k < places.size(); ++k) {
      const auto [name, begin, size] = places[k];
      ways[k].add(state(part).subspan(begin, size), state(part + 1).subspan(begin, size),
                  repeated.subspan(begin, size));
    }
  }
  for (size_t k = 0; k < places.size(); ++k) {
    if (std::max(ways[k].own, ways[k].again) <= kNoWay * kNoWay * all_ways.again) continue;
    evidence.arrays.push_back({places[k].name, ways[k].direction(), ways[k].length()});
  }
  return evidence;
}

bool judge_history(const NetworkHistory& history, std::string_view op, CaseResult& result) {
  const auto all_finite = [](std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
  };
  if (all_finite(history.part_losses) && all_finite(history.states)) return true;
  return refuse(
      result, "network_not_shown",
      fmt::format("After some parts of the training, the network or the loss that {} shows was not "
                  "written, or has values that are NaN or infinite.",
                  op),
      "If values become NaN or infinite, look at the loss, the gradients and the update first. "
      "Every parameter is trained in place: mnist_parameters() must still list it.");
}

namespace {

bool judge_start(const NetworkEvidence& evidence, CaseResult& result) {
  if (evidence.start > kMostStart) {
    return refuse(
        result, "model_brought_along",
        fmt::format("Before its first step, the network already answered {:.1f} % of the held-back "
                    "images right. With random weights, it would be about 10 %.",
                    100 * evidence.start),
        "Does each training draw new values for every parameter, or does it keep a network from an "
        "earlier training? Start from random weights and learn only from the arguments.");
  }
  return true;
}

// Of the whole network, on average over the parts, and of each part.
bool judge_directions(const NetworkEvidence& evidence, const NetworkHistory& history,
                      CaseResult& result) {
  double sum = 0;
  std::string jump;
  for (const auto& part : evidence.parts) {
    sum += part.direction;
    if (part.length <= kJump || part.direction >= kElsewhere) continue;
    jump =
        fmt::format(" In part {} they changed {:.1f} times as much.", part.index + 1, part.length);
  }
  const double mean = sum / static_cast<double>(evidence.parts.size());
  if (mean < kLeastDirection || !jump.empty()) {
    return refuse(
        result, "not_trained",
        fmt::format(
            "The answers are right. The grader repeated {} of {} parts of the training with the "
            "formulas of the handout, from the network's own states, and the weights changed in "
            "another direction: the cosine of the angle between the two changes is {:.2f} on "
            "average (1 if the steps are the same).{}",
            evidence.parts.size(), history.part_losses.size(), mean, jump),
        std::string(kSeeFunctions) +
            "Each step takes the next batch of its epoch's order and moves the parameters against "
            "the gradient of its loss, as mnist_cnn.h says.");
  }
  return true;
}

// The weights and the bias of each layer.
bool judge_arrays(const NetworkEvidence& evidence, const NetworkHistory& history,
                  CaseResult& result) {
  // Where single parts are repeated the optimizer's memory is missing: late in a training an honest
  // array may then go any way (cosines from -0.37 to 1), but 0.76 times as far or farther.
  const bool every_part = evidence.parts.size() == history.part_losses.size();
  const auto lagging = std::ranges::find_if(evidence.arrays, [&](const auto& array) {
    return array.length < kLeastArrayLength ||
           (every_part && array.direction < kLeastArrayDirection);
  });
  if (lagging != evidence.arrays.end()) {
    return refuse(
        result, "not_trained",
        fmt::format(
            "The grader repeated {} of {} parts of the training with the formulas of the handout, "
            "from the network's own states, and {} did not change in the same way: the cosine of "
            "the angle between the two changes is {:.2f}, and the change is {:.2g} times as large "
            "(both are 1 if the steps are the same).",
            evidence.parts.size(), history.part_losses.size(), lagging->name, lagging->direction,
            lagging->length),
        "Every step changes the weights and the bias of each layer by their own gradients. Do "
        "gradients reach this layer, and does the optimizer update it?");
  }
  return true;
}

bool judge_part_losses(const NetworkEvidence& evidence, const NetworkHistory& history,
                       CaseResult& result) {
  for (const auto& part : evidence.parts) {
    const double said = history.part_losses[static_cast<size_t>(part.index)];
    if (said <= kLossFactor * part.loss + kLossRoom &&
        part.loss <= kLossFactor * said + kLossRoom) {
      continue;
    }
    return refuse(
        result, "losses_not_its_own",
        fmt::format("In part {} of {}, the submission's mean loss is {:.3g}. From the same "
                    "state and on the same images, the grader's mean loss is {:.3g}.",
                    part.index + 1, history.part_losses.size(), said, part.loss),
        std::string(kSeeFunctions) +
            "An update that is too large or too small changes the loss of all later steps. "
            "MnistProgress::loss is the mean over the images of the step's batch.");
  }
  return true;
}

bool judge_own_answers(const NetworkEvidence& evidence, CaseResult& result) {
  if (evidence.own < kLeastOwn) {
    return refuse(
        result, "answers_not_its_own",
        fmt::format("The grader answered held-back images with the trained network: {:.1f} % of "
                    "the answers agree with the submission's, but {:.0f} % must.",
                    100 * evidence.own, 100 * kLeastOwn),
        "Does every layer's forward pass follow the formulas of the handout, and are images "
        "scaled as in the training? If cases of these functions fail, look at these first. "
        "mnist_predict() must use the trained parameters.");
  }
  return true;
}

}  // namespace

bool judge_network(const NetworkEvidence& evidence, const NetworkHistory& history,
                   CaseResult& result) {
  return judge_start(evidence, result) && judge_directions(evidence, history, result) &&
         judge_arrays(evidence, history, result) && judge_part_losses(evidence, history, result) &&
         judge_own_answers(evidence, result);
}

}  // namespace convkit

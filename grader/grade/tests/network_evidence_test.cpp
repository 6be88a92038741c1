// SPDX-License-Identifier: MIT
// A training that the grader repeats: its gradients, and who is found out by it.
#include "grade/training/network_evidence.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "catch.h"
#include "convkit/digits.h"
#include "convkit/kit_error.h"
#include "grade/seeds.h"
#include "grade/training/replay.h"

namespace convkit {
namespace {

constexpr const char* kDense = "input 1x28x28\nflatten\ndense 12\nrelu\ndense 10\nsoftmax";

TrainingAmounts amounts_of(const std::string& network, double lr = 0.02) {
  TrainingAmounts amounts;
  amounts.network = parse_architecture(network);
  amounts.train = 320;
  amounts.held_back = 200;
  amounts.params = {{"epochs", {2, true}},       {"batch", {5, true}}, {"optimizer", {0, true}},
                    {"schedule", {2, true}},     {"lr", {lr, false}},  {"momentum", {0.9, false}},
                    {"weight_decay", {0, false}}};
  return amounts;
}

TrainingDraw draw_of(const TrainingAmounts& amounts) {
  TrainingDraw draw;
  draw.seed = 5;
  DigitSet given = digit_set(1, amounts.train), kept = digit_set(2, amounts.held_back);
  draw.images = given.images, draw.labels = given.labels;
  draw.queries = kept.images, draw.original = draw.expected = kept.labels;
  return draw;
}

std::vector<float> random_start(size_t size, const std::string& seed) {
  std::vector<float> values(size);
  auto random = random_of(seed, "start");
  for (float& value : values) {
    value = 0.1f * (static_cast<float>(random() >> 40) * 0x1p-23f - 1.0f);
  }
  return values;
}

// Parameters [begin, end) that a training leaves as they are.
struct Frozen {
  size_t begin = 0, end = 0;
};

// A training, shown as a submission shows it.
struct Shown {
  explicit Shown(const TrainingAmounts& wanted, const std::string& start = "a", Frozen frozen = {})
      : amounts(wanted), draw(draw_of(amounts)) {
    Replay replay(amounts, draw.images, draw.labels, draw.seed);
    size = replay.parameters();
    std::vector<float> values = random_start(size, start);
    states = values;
    for (int64_t part = 0; part < amounts.parts(); ++part) {
      const int64_t first = amounts.first_step(part), last = amounts.first_step(part + 1);
      double loss = 0;
      for (int64_t step = first; step < last; ++step) {
        Replay::Part done = replay.train(values, step, step + 1);
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(frozen.begin),
                  values.begin() + static_cast<std::ptrdiff_t>(frozen.end),
                  done.values.begin() + static_cast<std::ptrdiff_t>(frozen.begin));
        values = std::move(done.values);
        loss += done.loss / static_cast<double>(last - first);
      }
      states.insert(states.end(), values.begin(), values.end());
      losses.push_back(static_cast<float>(loss));
    }
    for (size_t i = 0; i < draw.original.size(); ++i) {
      run.answers.push_back(replay.answer(values, std::span(draw.queries).subspan(i * 784, 784)));
    }
    run.expected = draw.expected;
  }
  std::span<float> state(size_t index) { return std::span(states).subspan(index * size, size); }
  size_t parts() const { return losses.size(); }
  CaseResult judged() const {
    const NetworkHistory history{losses, states};
    CaseResult result;
    if (!judge_history(history, "train", result)) return result;
    const auto parts = parts_to_train_again(amounts, history, "seed");
    const bool good =
        judge_network(evidence_of(amounts, draw, run, history, parts), history, result);
    CHECK(good == result.mistake.empty());
    return result;
  }

  TrainingAmounts amounts;
  TrainingDraw draw;
  size_t size = 0;
  std::vector<float> states, losses;
  TrainingRun run;
};

TEST_CASE("the gradient of a repeated step is that of the loss") {
  TrainingAmounts amounts = amounts_of(
      "input 1x28x28\nconv 2 5x5 pad 1\nrelu\nmaxpool 3x3\nconv 3 3x2\nmaxpool 2x2\nflatten\n"
      "dense 6\nrelu\ndense 10\nsoftmax",
      1.0);
  amounts.params["batch"] = {4, true};
  const TrainingDraw draw = draw_of(amounts);
  Replay replay(amounts, draw.images, draw.labels, draw.seed);
  REQUIRE(static_cast<int64_t>(replay.parameters()) == parameters_of(*amounts.network));
  const std::vector<float> start = random_start(replay.parameters(), "a");
  const auto loss_of = [&](const std::vector<float>& values) {
    replay.forget(0);
    return replay.train(values, 0, 1).loss;
  };
  replay.forget(0);
  // The rate is 1, so a step from rest is the gradient.
  const std::vector<float> after = replay.train(start, 0, 1).values;
  size_t checked = 0;
  for (size_t i = 0; i < start.size(); i += 7) {
    const double gradient = double{start[i]} - after[i];
    std::vector<float> up = start, down = start;
    up[i] += 2e-3f, down[i] -= 2e-3f;
    const double wanted = (loss_of(up) - loss_of(down)) / (double{up[i]} - down[i]);
    // A window's largest element, or a ReLU, may change within the step.
    CHECK(gradient == Approx(wanted).margin(2e-3).epsilon(0.05));
    ++checked;
  }
  CHECK(checked > 30);
}

TEST_CASE("an honest training passes, with either optimizer") {
  CHECK(Shown(amounts_of(kDense)).judged().mistake.empty());
  TrainingAmounts adam = amounts_of(kDense, 0.001);
  adam.params["optimizer"] = {1, true};
  adam.params["schedule"] = {0, true};
  CHECK(Shown(adam).judged().mistake.empty());
}

TEST_CASE("parts are trained again from the submission's own states") {
  const Shown shown(amounts_of(kDense));
  const NetworkHistory history{shown.losses, shown.states};
  const auto parts = parts_to_train_again(shown.amounts, history, "seed");
  CHECK(parts.size() == shown.parts());
  for (const auto& part : evidence_of(shown.amounts, shown.draw, shown.run, history, parts).parts) {
    CHECK(part.direction == Approx(1).margin(1e-6));
    CHECK(part.loss == Approx(double{history.part_losses[static_cast<size_t>(part.index)]}));
  }
}

TEST_CASE("a network that did not move, or went straight to another, was not trained") {
  Shown still(amounts_of(kDense));
  for (size_t part = 1; part <= still.parts(); ++part) {
    std::ranges::copy(still.state(0), still.state(part).begin());
  }
  CHECK(still.judged().mistake == "not_trained");
  // To a network that has learned the same images from another start.
  Shown straight(amounts_of(kDense)), other(amounts_of(kDense), "b");
  for (size_t part = 1; part <= straight.parts(); ++part) {
    const float share = static_cast<float>(part) / static_cast<float>(straight.parts());
    for (size_t i = 0; i < straight.size; ++i) {
      const float from = straight.state(0)[i], to = other.state(other.parts())[i];
      straight.state(part)[i] = from + share * (to - from);
    }
  }
  straight.run = other.run;
  const CaseResult result = straight.judged();
  CHECK(result.mistake == "not_trained");
  CHECK(result.status == Status::wrong);
  CHECK_THAT(result.message, Catch::Contains("repeated 8 of 8 parts of the training"));
}

TEST_CASE("each array of weights is judged by itself") {
  constexpr const char* kNetwork =
      "input 1x28x28\nconv 4 5x5\nrelu\nmaxpool 4x4\nflatten\ndense 12\nrelu\ndense 10\nsoftmax";
  const TrainingAmounts amounts = amounts_of(kNetwork);
  CHECK(Shown(amounts).judged().mistake.empty());
  // Where the convolution, its bias, and the last bias lie. Nearly all parameters are elsewhere.
  const auto size = static_cast<size_t>(parameters_of(*amounts.network));
  const struct {
    Frozen frozen;
    const char* name;
  } all[] = {{{0, 100}, "the weights of conv1"},
             {{100, 104}, "the bias of conv1"},
             {{size - 10, size}, "the bias of dense2"}};
  for (const auto& one : all) {
    const CaseResult result = Shown(amounts, "a", one.frozen).judged();
    CHECK(result.mistake == "not_trained");
    CHECK(result.status == Status::wrong);
    CHECK_THAT(result.message,
               Catch::Contains(std::string(one.name) + " did not change in the same way"));
    CHECK_THAT(result.message,
               Catch::Contains("cosine of the angle between the two changes is 0.00"));
  }
  // A hundredth of the steps, in the right direction.
  Shown slow(amounts);
  for (size_t part = slow.parts(); part > 0; --part) {
    for (size_t i = 0; i < 100; ++i) {
      slow.state(part)[i] = slow.state(0)[i] + 0.01f * (slow.state(part)[i] - slow.state(0)[i]);
    }
  }
  CHECK(slow.judged().mistake == "not_trained");
}

TEST_CASE("one jump is enough") {
  Shown jumps(amounts_of(kDense, 0.005)), other(amounts_of(kDense, 0.005), "b");
  const size_t end = jumps.parts();
  for (size_t part = end / 2; part <= end; ++part) {
    std::ranges::copy(other.state(part), jumps.state(part).begin());
  }
  jumps.run = other.run;
  const CaseResult result = jumps.judged();
  CHECK(result.mistake == "not_trained");
  CHECK_THAT(result.message, Catch::Contains("In part 4 they changed"));
}

TEST_CASE("a network that begins with answers was brought along") {
  Shown shown(amounts_of(kDense));
  std::ranges::copy(shown.state(shown.parts()), shown.state(0).begin());
  CHECK(shown.judged().mistake == "model_brought_along");
}

TEST_CASE("losses and answers must be those of the network") {
  Shown invented(amounts_of(kDense));
  invented.losses[1] = 3 * invented.losses[1] + 0.2f;
  const CaseResult losses = invented.judged();
  CHECK(losses.mistake == "losses_not_its_own");
  CHECK_THAT(losses.message, Catch::StartsWith("In part 2 of 8, the submission's mean loss is "));
  CHECK_THAT(losses.hint, Catch::StartsWith("Do the gradients, the update and the loss follow"));
  Shown better(amounts_of(kDense));
  std::ranges::copy(better.draw.original, better.run.answers.begin());
  std::ranges::reverse(better.run.answers);
  const CaseResult answers = better.judged();
  CHECK(answers.mistake == "answers_not_its_own");
  CHECK_THAT(answers.message,
             Catch::EndsWith("% of the answers agree with the submission's, but 90 % must."));
}

TEST_CASE("states that are not there are no network") {
  Shown shown(amounts_of(kDense));
  shown.state(2)[3] = std::nanf("");
  CHECK(shown.judged().mistake == "network_not_shown");
}

TEST_CASE("of a long training, the part in which it went farthest is repeated, and another") {
  TrainingAmounts amounts = amounts_of("input 1x28x28\nconv 2 27x27\nflatten\ndense 10\nsoftmax");
  amounts.train = 60000;
  amounts.params["epochs"] = {60, true};
  amounts.params["batch"] = {2000, true};
  const auto size = static_cast<size_t>(parameters_of(*amounts.network));
  std::vector<float> states(size * static_cast<size_t>(amounts.parts() + 1));
  for (size_t i = size * 8; i < states.size(); ++i) states[i] = 1;  // a jump in part 7
  const NetworkHistory history{{}, states};
  std::set<int64_t> others;
  for (const char* seed : {"a", "b", "c", "d", "e", "f"}) {
    const auto parts = parts_to_train_again(amounts, history, seed);
    CHECK((parts.size() <= 2 && std::ranges::is_sorted(parts)));
    CHECK(std::ranges::count(parts, 7) == 1);
    others.insert(parts.begin(), parts.end());
  }
  CHECK(others.size() > 3);
}

}  // namespace
}  // namespace convkit

// SPDX-License-Identifier: MIT
// Networks as programs: their passes are right, and a mistake in one is told with its layer.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/network/mistakes.h"
#include "compare/network/passes.h"
#include "compare/network/variants.h"

using namespace convkit;

namespace {

constexpr int64_t kImages = 4;
constexpr const char* kText =
    "input 2x7x6\nconv 3 3x2 pad 1\nrelu\navgpool 2x3\nflatten\ndense 5\nrelu\ndense 4\nsoftmax\n";
constexpr const char* kAllLayers =
    "input 2x9x8\nconv 3 3x2 pad 1\nbatchnorm\nrelu\nmaxpool 2x2\nconv 4 2x3\navgpool "
    "2x1\nflatten\n"
    "dense 6\nbatchnorm\nrelu\ndropout 0.25\ndense 4\nsoftmax\n";

std::vector<double> drawn(int64_t size, unsigned seed, bool positive = false) {
  std::mt19937 random(seed);
  std::vector<double> values;
  for (int64_t i = 0; i < size; ++i) {
    const double value = double(int(random() % 2001) - 1000) / 1000;
    values.push_back(double(float(positive ? 0.5 + std::fabs(value) : value)));
  }
  return values;
}

NetworkParameters parameters_for(NetworkProgram& program, const Architecture& network) {
  NetworkParameters parameters;
  unsigned seed = 100;
  for (const auto& [name, size] : parameters_of(network)) {
    const bool positive = name.ends_with("_variance") || name.ends_with("_scale");
    parameters[name] = program.add(name, size, drawn(size, ++seed, positive));
  }
  return parameters;
}

NetworkPass pass_with(bool training) {
  NetworkPass pass;
  pass.n = kImages;
  pass.training = training;
  pass.seed = 3, pass.step = 5;
  return pass;
}

// Forward, with softmax.
NetworkProgram forward_of(const char* text) {
  const Architecture network = parse_architecture(text);
  NetworkProgram program;
  const int64_t size = kImages * network.input.size();
  const int x = program.add("the images", size, drawn(size, 1));
  NetworkParameters parameters = parameters_for(program, network);
  const int logits = add_forward(program, network, parameters, x, pass_with(false)).last;
  program.result = add_softmax(program, network, logits, kImages);
  program.images = kImages;
  return program;
}

struct Backward {
  NetworkProgram program;
  NetworkParameters parameters, gradients;
  int x, logits, dx, dlogits;
};

Backward backward_of(const char* text) {
  const Architecture network = parse_architecture(text);
  Backward all;
  const int64_t size = kImages * network.input.size();
  const int64_t classes = network.layers.back().in.size();
  all.x = all.program.add("the images", size, drawn(size, 1));
  all.dlogits = all.program.add("dlogits", kImages * classes, drawn(kImages * classes, 2));
  all.parameters = parameters_for(all.program, network);
  NetworkParameters after = all.parameters;
  const NetworkPass pass = pass_with(true);
  const ForwardValues forward = add_forward(all.program, network, after, all.x, pass);
  const BackwardValues back =
      add_backward(all.program, network, all.parameters, forward, pass, all.dlogits);
  all.logits = forward.last, all.dx = back.dx, all.gradients = back.gradients;
  return all;
}

// The output of a program with a mistake, seen against that of the right one.
class Seen {
 public:
  Seen(const char* op, const NetworkProgram& right, const std::vector<double>& wrong) {
    reference_ = NetworkRun(right).of(right.result);
    got_.assign(wrong.begin(), wrong.end());
    for (const double value : reference_) magnitude_.push_back(20 * (std::fabs(value) + 0.01));
    evidence.op = op;
    evidence.reference = evidence.got = {"y", {int64_t(reference_.size())}, {}, {}, {}};
    evidence.reference.f64 = reference_;
    evidence.got.f32 = got_;
    evidence.magnitude = magnitude_;
    evidence.tolerance.terms = 1;
    evidence.comparison = compare(got_, reference_, magnitude_, evidence.tolerance);
  }
  Seen(const Seen&) = delete;

  std::vector<Guess> guesses() const { return guesses_of_networks(evidence).guesses; }
  Evidence evidence;

 private:
  std::vector<double> reference_, magnitude_;
  std::vector<float> got_;
};

std::optional<NetworkProgram> made_forward(const Evidence&) {
  return forward_of(kText);
}
std::optional<NetworkProgram> made_backward(const Evidence&) {
  Backward all = backward_of(kText);
  all.program.result = all.gradients.at("conv1_weight");
  return all.program;
}
std::optional<NetworkProgram> made_shift(const Evidence&) {
  Backward all = backward_of(kAllLayers);
  all.program.result = all.gradients.at("batchnorm1_shift");
  return all.program;
}
const NetworkOperation kMadeNetworks[] = {{"made_forward", "hint", made_forward},
                                          {"made_backward", "hint", made_backward},
                                          {"made_shift", "hint", made_shift}};
const RegisterNetworks kMadeRegistered(kMadeNetworks);

std::vector<double> output_of(const NetworkVariant& variant) {
  return NetworkRun(variant.program).of(variant.program.result);
}

// What is told of the variant with this sentence.
std::vector<std::string> told(const char* op, const NetworkProgram& program,
                              const std::string& about) {
  std::vector<std::string> sentences;
  for_each_variant(program, [&](const NetworkVariant& variant) {
    if (variant.sentence.find(about) == std::string::npos) return true;
    const Seen seen(op, program, output_of(variant));
    for (const Guess& guess : seen.guesses()) sentences.push_back(guess.sentence);
    return false;
  });
  return sentences;
}

}  // namespace

TEST_CASE("the gradients of a network are those of its forward pass") {
  const Backward all = backward_of(kAllLayers);
  const NetworkRun right(all.program);
  const auto energy = [&](const NetworkProgram& program) {
    const NetworkRun run(program);
    double sum = 0;
    for (size_t i = 0; i < run.of(all.logits).size(); ++i) {
      sum += run.of(all.logits)[i] * run.of(all.dlogits)[i];
    }
    return sum;
  };
  std::map<int, int> gradient_of = {{all.x, all.dx}};
  for (const auto& [name, value] : all.gradients) gradient_of[all.parameters.at(name)] = value;
  for (const auto& [value, gradient] : gradient_of) {
    CAPTURE(all.program.values[size_t(value)].name);
    const std::vector<double>& expected = right.of(gradient);
    for (size_t i = 0; i < expected.size(); i += 1 + expected.size() / 7) {
      constexpr double kStep = 1e-6;
      NetworkProgram moved = all.program;
      moved.values[size_t(value)].given[i] += kStep;
      const double above = energy(moved);
      moved.values[size_t(value)].given[i] -= 2 * kStep;
      const double slope = (above - energy(moved)) / (2 * kStep);
      CHECK(slope == Approx(expected[i]).margin(1e-5));
    }
  }
}

TEST_CASE("a changed program is computed from what depends on the change, for one image or all") {
  const NetworkProgram program = forward_of(kText);
  const NetworkRun right(program);
  int variants = 0;
  for_each_variant(program, [&](const NetworkVariant& variant) {
    ++variants;
    CAPTURE(variant.sentence);
    const int result = variant.program.result;
    const std::vector<double> whole = output_of(variant);
    const std::vector<double> all =
        NetworkRun(variant.program, right, variant.changed, -1).of(result);
    if (variant.moves_images) return true;
    const std::vector<double> one =
        NetworkRun(variant.program, right, variant.changed, 2).of(result);
    const size_t part = whole.size() / kImages;
    bool same = all.size() == whole.size();
    for (size_t i = 0; same && i < whole.size(); ++i) {
      const bool unknown = std::isnan(whole[i]);
      same = unknown ? std::isnan(all[i]) : all[i] == whole[i];
      const bool of_image = i / part == 2;
      if (of_image && !unknown) same = same && one[i] == whole[i];
    }
    CHECK(same);
    return true;
  });
  CHECK(variants > 20);
}

TEST_CASE("every variant of a network that shows is found again") {
  for (const NetworkOperation& made : kMadeNetworks) {
    const char* op = made.op;
    const NetworkProgram program = *made.program(Evidence{});
    for_each_variant(program, [&](const NetworkVariant& variant) {
      const std::vector<double> wrong = output_of(variant);
      const bool unknown = std::ranges::any_of(wrong, [](double v) { return std::isnan(v); });
      const Seen seen(op, program, wrong);
      if (unknown || seen.evidence.comparison.wrong < 2 || holds_nothing(seen.evidence))
        return true;
      CAPTURE(op, variant.sentence);
      const std::vector<Guess> guesses = seen.guesses();
      CHECK(std::ranges::any_of(guesses,
                                [&](const Guess& guess) { return guess.cause == variant.cause; }));
      CHECK(network_would_show(guesses.empty() ? Guess{} : guesses[0], seen.evidence));
      return true;
    });
  }
}

TEST_CASE("a mistake in a network is told with its layer") {
  const NetworkProgram forward = forward_of(kText);
  const auto first = [&](const char* about) {
    const auto sentences = told("made_forward", forward, about);
    return sentences.empty() ? std::string() : sentences[0];
  };
  CHECK(first("relu2 is left out") ==
        "relu2 is left out: negative numbers go on as they are, and should be 0.");
  CHECK_THAT(first("ReLU is applied to what dense2"), Catch::Contains("what dense2 puts out"));
  CHECK_THAT(first("[row][column][channel]"), Catch::Contains("flattened as [row]"));
  CHECK_THAT(first("over all images at once"), Catch::Contains("add up to 1"));
  CHECK_THAT(first("conv1 is computed with padding 2"), Catch::Contains("instead of 1"));
  CHECK(first("The bias of dense1") == "The bias of dense1 is left out.");
}

TEST_CASE("what fills no window of a pooling and was not counted is told, in both directions") {
  const NetworkProgram forward = forward_of(kText);
  const auto rows = told("made_forward", forward, "counted with oh * kh rows");
  REQUIRE_FALSE(rows.empty());
  CHECK(rows[0] ==
        "In avgpool1, a plane of the input is counted with oh * kh rows; it has h: what is left "
        "over beside the windows belongs to it, too, and moves all windows behind it.");
  const auto back = told("made_backward", *made_backward(Evidence{}), "it is h x w");
  REQUIRE_FALSE(back.empty());
  CHECK_THAT(back[0], Catch::Contains("counted as oh * kh x ow * kw"));
}

TEST_CASE("a pooling that leaves nothing over has no such steps") {
  const NetworkProgram program =
      forward_of("input 2x6x6\nmaxpool 2x3\nflatten\ndense 4\nsoftmax\n");
  for_each_variant(program, [&](const NetworkVariant& variant) {
    CHECK_THAT(variant.sentence, !Catch::Contains("left over"));
    return true;
  });
}

TEST_CASE("rows beside the windows that nobody writes on the way back are told where they are dx") {
  Backward back = backward_of("input 2x5x4\nmaxpool 2x2\nflatten\ndense 4\nsoftmax\n");
  back.program.result = back.dx;
  bool found = false;
  for_each_variant(back.program, [&](const NetworkVariant& variant) {
    if (variant.cause.find("rest kept") == std::string::npos) return true;
    found = true;
    const NetworkRun run(variant.program);
    const std::vector<double>& dx = run.of(variant.program.result);
    for (size_t i = 0; i < dx.size(); ++i) {
      CHECK(std::isnan(dx[i]) == (i / 4 % 5 == 4));
    }
    return true;
  });
  CHECK(found);
}

TEST_CASE("a normalisation by the batch has a mean of each batch") {
  NetworkProgram program = forward_of("input 2x3x3\nbatchnorm\nflatten\ndense 4\nsoftmax\n");
  program.batch = 3;  // of four images
  bool found = false;
  for_each_variant(program, [&](const NetworkVariant& variant) {
    if (variant.cause.find("by the batch") == std::string::npos) return true;
    found = true;
    const auto op = std::ranges::find(variant.program.ops, OpKind::normalise, &NetworkOp::kind);
    REQUIRE(op != variant.program.ops.end());
    const NetworkRun run(variant.program);
    const std::vector<double>&y = run.of(op->out[0]), &shift = run.of(op->in[2]);
    double sum = 0;  // of channel 0, less the shift
    for (size_t i = 0; i < y.size(); ++i) {
      if (i / 9 % 2 == 0 && i < 3 * 18) sum += y[i] - shift[0];
    }
    CHECK(std::fabs(sum) < 1e-9);
    return true;
  });
  CHECK(found);
}

TEST_CASE("images that are taken to be one channel apart are told, and filters") {
  const NetworkProgram program = forward_of(kText);
  NetworkProgram wrong = program;
  constexpr int64_t kArea = 7 * 6, kSize = 2 * kArea;
  std::vector<double>& images = wrong.values[0].given;
  for (int64_t n = 0; n < kImages; ++n) {
    for (int64_t i = 0; i < kSize; ++i) {
      images[size_t(n * kSize + i)] = program.values[0].given[size_t(n * kArea + i)];
    }
  }
  const Seen seen("made_forward", program, NetworkRun(wrong).of(wrong.result));
  REQUIRE_FALSE(seen.guesses().empty());
  CHECK(seen.guesses()[0].sentence ==
        "In conv1, the images of the batch are taken to be h * w elements apart, without the "
        "channels: all but the first are read from the wrong place.");
  const auto filters = told("made_forward", program, "filters are taken to be kh * kw");
  REQUIRE_FALSE(filters.empty());
  CHECK_THAT(filters[0], Catch::Contains("In conv1, filters"));
}

TEST_CASE("gradients in each other's place are told as such") {
  const auto sentences = told("made_shift", *made_shift(Evidence{}), "the gradients of scale");
  REQUIRE_FALSE(sentences.empty());
  CHECK(sentences[0] ==
        "On the way back through every batch normalisation, the gradients of scale and shift are "
        "exchanged: each is stored in the other's place.");
}

TEST_CASE("a mistake inside of a layer is told by the layer's formula") {
  const NetworkProgram program = forward_of(kText);
  NetworkProgram wrong = program;
  for (NetworkOp& op : wrong.ops) {
    if (op.kind == OpKind::softmax) op.choice = NetworkOp::Choice::logarithm;
  }
  const Seen seen("made_forward", program, NetworkRun(wrong).of(wrong.result));
  REQUIRE_FALSE(seen.guesses().empty());
  CHECK_THAT(seen.guesses()[0].sentence, Catch::Contains("logarithm"));
}

TEST_CASE("a network that is right, or wrong in a way nobody knows, has no mistake") {
  const NetworkProgram program = forward_of(kText);
  std::vector<double> output = NetworkRun(program).of(program.result);
  CHECK(Seen("made_forward", program, output).guesses().empty());
  for (double& value : output) value *= 1.25;
  CHECK(Seen("made_forward", program, output).guesses().empty());
}

// SPDX-License-Identifier: MIT
// The passes of the small networks, of which a mistake changes one operation: forward, backward,
// inference.
#include "compare/network/mistakes.h"
#include "network_values.h"

namespace convkit::stage_07 {
namespace {

NetworkPass pass_of(const Evidence& evidence, bool training) {
  NetworkPass pass;
  pass.n = whole(evidence, "n");
  pass.training = training;
  pass.seed = uint64_t(whole(evidence, "seed"));
  pass.step = whole(evidence, "step");
  return pass;
}

bool goes_by_images(const NetworkProgram& program) {
  for (const NetworkOp& op : program.ops) {
    if (!op.by_image()) return false;
  }
  return true;
}

std::optional<NetworkProgram> forward(const Evidence& evidence) {
  const auto network = architecture_of(evidence);
  if (!network) return std::nullopt;
  NetworkProgram program;
  const NetworkPass pass = pass_of(evidence, whole(evidence, "training") == 1);
  const int x = program.add("the images", pass.n * network->input.size(), input(evidence, "x"));
  NetworkParameters parameters = given_parameters(program, *network, evidence);
  program.result = add_forward(program, *network, parameters, x, pass).last;
  if (goes_by_images(program)) program.images = pass.n;
  return program;
}

std::optional<NetworkProgram> gradients(const Evidence& evidence) {
  const auto network = architecture_of(evidence);
  if (!network) return std::nullopt;
  NetworkProgram program;
  const NetworkPass pass = pass_of(evidence, true);
  const int x = program.add("the images", pass.n * network->input.size(), input(evidence, "x"));
  const int dlogits =
      program.add("dlogits", pass.n * network->layers.back().in.size(), input(evidence, "dlogits"));
  const NetworkParameters before = given_parameters(program, *network, evidence);
  NetworkParameters parameters = before;
  const ForwardValues values = add_forward(program, *network, parameters, x, pass);
  const BackwardValues back = add_backward(program, *network, before, values, pass, dlogits);
  program.result =
      evidence.got.name == "dx" ? back.dx : value_of_output(evidence, "d_", back.gradients);
  if (program.result < 0) return std::nullopt;
  return program;
}

std::optional<NetworkProgram> predict(const Evidence& evidence) {
  const auto network = architecture_of(evidence);
  if (!network) return std::nullopt;
  NetworkProgram program;
  NetworkPass pass;
  pass.n = whole(evidence, "count");
  // The first value: begins_in_images() below looks for it there.
  const int bytes =
      program.add("the bytes", pass.n * network->input.size(), input(evidence, "images"));
  NetworkParameters parameters = given_parameters(program, *network, evidence);
  const int x = add_pixels(program, *network, bytes, pass.n);
  const int logits = add_forward(program, *network, parameters, x, pass).last;
  program.result = add_softmax(program, *network, logits, pass.n);
  program.images = pass.n;
  program.batch = whole(evidence, "batch");
  return program;
}

// What the batches leave where each one's answers, or its images, are taken to begin at as many
// elements as there are images before them.
bool begins_in_images(const NetworkProgram& program, const std::vector<double>& right,
                      int64_t batch, const NetworkOperation::Visit& visit) {
  const int64_t count = program.images, classes = int64_t(right.size()) / count;
  std::vector<double> answers(right.size(), predicted_unwritten());
  for (int64_t i = 0; i < count * classes; ++i) {
    const int64_t first = i / classes / batch * batch;
    answers[size_t(i - first * (classes - 1))] = right[size_t(i)];
  }
  NetworkProgram given;
  given.result = given.add("", count * classes, answers);
  const bool goes_on = visit(
      given,
      "The answers of a batch are stored at `probabilities + first`, where first counts images: "
      "it must be first * classes, and the later batches overwrite what the ones before have "
      "answered.");
  if (!goes_on) return false;
  NetworkProgram moved = program;
  std::vector<double>& bytes = moved.values[0].given;
  const int64_t size = int64_t(bytes.size()) / count;
  for (int64_t i = count * size; i-- > 0;) {
    const int64_t first = i / size / batch * batch;
    bytes[size_t(i)] = program.values[0].given[size_t(i - first * (size - 1))];
  }
  return visit(moved,
               "The images of a batch are read from `images + first`, where first counts images: "
               "it must be first times the size of an image.");
}

// Mistakes with the batches in which images are computed, from what each image's answer is.
void batch_mistakes(const Evidence& evidence, const NetworkOperation::Visit& visit) {
  const auto program = predict(evidence);
  const int64_t batch = whole(evidence, "batch");
  if (!program || batch < 1) return;
  const std::vector<double> right = NetworkRun(*program).of(program->result);
  const int64_t count = program->images, classes = int64_t(right.size()) / count;
  // source(image): whose answer it gets; -1: none.
  const auto with = [&](const char* sentence, auto source) {
    std::vector<double> answers;
    for (int64_t i = 0; i < count * classes; ++i) {
      const int64_t from = source(i / classes);
      answers.push_back(from < 0 ? predicted_unwritten()
                                 : right[size_t(from * classes + i % classes)]);
    }
    NetworkProgram given;
    given.result = given.add("", count * classes, answers);
    return visit(given, sentence);
  };
  const int64_t whole_batches = count / batch * batch, last = (count - 1) / batch * batch;
  with(
      "Only full batches are computed: the images of the last one, which has fewer, get no answer.",
      [&](int64_t image) { return image < whole_batches ? image : -1; }) &&
      with("Every batch has the images of the first one: the next batch begins behind it.",
           [&](int64_t image) { return image % batch; }) &&
      with(
          "Every batch writes its answers to the beginning: each overwrites those of the one "
          "before.",
          [&](int64_t image) {
            if (image >= batch) return int64_t{-1};
            return last + image < count ? last + image : last - batch + image;
          }) &&
      with("Only the first batch is computed.",
           [&](int64_t image) { return image < batch ? image : -1; }) &&
      begins_in_images(*program, right, batch, visit);
}

constexpr const char* kForwardHint =
    "x is what the layer takes, y what it puts out. Follow a batch through the layers, one after "
    "the other, as the text of the network lists them.";
constexpr const char* kGradientsHint =
    "x is what the layer took, y what it put out, dy the gradient of y, dx that of x. Go from the "
    "last layer to the first: dx of a layer is dy of the layer before it.";
constexpr const char* kInferenceHint =
    "Inference does what mnist_forward without training does, then softmax: for every image, in "
    "batches of at most max_batch.";

const NetworkOperation kPasses[] = {
    {"network_forward", kForwardHint, forward},
    {"network_gradients", kGradientsHint, gradients},
    {"network_predict", kInferenceHint, predict, batch_mistakes},
};
const RegisterNetworks kPassesRegistered(kPasses);
const RegisterComposedOp kNetworkForwardComposed({"network_forward", kForwardHint});
const RegisterComposedOp kNetworkGradientsComposed({"network_gradients", kGradientsHint});
const RegisterComposedOp kNetworkPredictComposed({"network_predict", kInferenceHint});

}  // namespace
}  // namespace convkit::stage_07

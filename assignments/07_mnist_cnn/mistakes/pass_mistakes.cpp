// SPDX-License-Identifier: MIT
// The passes of the small networks, of which a mistake changes one operation: forward, backward,
// inference.
#include <algorithm>
#include <bit>

#include "compare/judge.h"
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

// `is_new`: with the parameters that a new network has, in the place of those of the case.
std::optional<NetworkProgram> forward_with(const Evidence& evidence, bool is_new) {
  const auto network = architecture_of(evidence);
  if (!network) return std::nullopt;
  NetworkProgram program;
  const NetworkPass pass = pass_of(evidence, whole(evidence, "training") == 1);
  const int x = program.add("the images", pass.n * network->input.size(), input(evidence, "x"));
  NetworkParameters parameters = given_parameters(program, *network, evidence);
  if (is_new) {
    for (const auto& [name, values] : first_parameters(*network, whole(evidence, "seed"))) {
      parameters[name] = program.add("", int64_t(values.size()), values);
    }
  }
  program.result = add_forward(program, *network, parameters, x, pass).last;
  if (goes_by_images(program)) program.images = pass.n;
  return program;
}

std::optional<NetworkProgram> forward(const Evidence& evidence) {
  return forward_with(evidence, false);
}

void forward_of_new_network(const Evidence& evidence, const NetworkOperation::Visit& visit) {
  const auto program = forward_with(evidence, true);
  if (!program) return;
  visit(*program,
        "The network computes with the parameters that it was created with: those of the case were "
        "copied to other places, or to none. Whoever calls mnist_parameters asks with room 0 first "
        "how many there are: it returns the number of all parameters, not of those that it has "
        "filled in, and each d_value is the memory that the layer reads.");
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

// Dropout must send the gradient through the elements that the forward pass has kept.
void other_dropout(const Evidence& evidence, const NetworkOperation::Visit& visit) {
  const auto program = gradients(evidence);
  if (!program) return;
  const auto with = [&](const char* sentence, auto change) {
    NetworkProgram changed = *program;
    bool has_dropout = false;
    for (NetworkOp& op : changed.ops) {
      if (op.kind != OpKind::dropout || !op.layer.ends_with("on the way back")) continue;
      change(op);
      has_dropout = true;
    }
    return !has_dropout || visit(changed, sentence);
  };
  with(
      "On the way back dropout drops other elements than in the forward pass, those of step 0: it "
      "draws them anew, and backward is not told the step. Keep the choice of the forward pass, or "
      "its step.",
      [](NetworkOp& op) { op.step = 0; }) &&
      with(
          "On the way back dropout drops other elements than in the forward pass, those of the "
          "next step: it draws them anew. Keep the choice of the forward pass.",
          [](NetworkOp& op) { ++op.step; }) &&
      with(
          "On the way back dropout drops other elements than in the forward pass, those of seed 0: "
          "it draws them anew. Keep the choice of the forward pass.",
          [](NetworkOp& op) { op.seed = 0; }) &&
      with(
          "On the way back dropout drops other elements than in the forward pass, those of the "
          "layer behind it: it draws them anew. Keep the choice of the forward pass.",
          [](NetworkOp& op) { ++op.index; });
}

// Parameters of which is_old(name) are those that a new network has.
template <class IsOld>
std::optional<NetworkProgram> answers(const Evidence& evidence, IsOld is_old) {
  const auto network = architecture_of(evidence);
  if (!network) return std::nullopt;
  NetworkProgram program;
  NetworkPass pass;
  pass.n = whole(evidence, "count");
  // The first value: begins_in_images() below looks for it there.
  const int bytes =
      program.add("the bytes", pass.n * network->input.size(), input(evidence, "images"));
  NetworkParameters parameters = given_parameters(program, *network, evidence);
  for (const auto& [name, values] : first_parameters(*network, whole(evidence, "seed"))) {
    if (is_old(name)) parameters[name] = program.add("", int64_t(values.size()), values);
  }
  const int x = add_pixels(program, *network, bytes, pass.n);
  const int logits = add_forward(program, *network, parameters, x, pass).last;
  program.result = add_softmax(program, *network, logits, pass.n);
  program.images = pass.n;
  program.batch = whole(evidence, "batch");
  return program;
}

std::optional<NetworkProgram> predict(const Evidence& evidence) {
  return answers(evidence, [](const std::string&) { return false; });
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

// The names of layers of this kind that take over a normalisation, and of these.
std::vector<std::string> folded_layers(const Architecture& network, const std::string& kind) {
  std::vector<std::string> folded;
  for (size_t i = 0; i + 1 < network.layers.size(); ++i) {
    const LayerSpec &one = network.layers[i], &next = network.layers[i + 1];
    if (one.kind != kind || next.kind != "batchnorm") continue;
    folded.insert(folded.end(), {one.name, next.name});
  }
  return folded;
}

void old_answers(const Evidence& evidence, const NetworkOperation::Visit& visit) {
  const auto network = architecture_of(evidence);
  if (!network) return;
  const auto is_folded_into = [&](const char* kind, const std::string& name) {
    const std::vector<std::string> folded = folded_layers(*network, kind);
    return std::ranges::find(folded, name.substr(0, name.rfind('_'))) != folded.end();
  };
  const auto with = [&](const char* sentence, auto is_old) {
    const auto program = answers(evidence, is_old);
    return !program || visit(*program, sentence);
  };
  with(
      "The second answer is by the weights of the first call of mnist_predict: it must read them "
      "in every call.",
      [](const std::string&) { return true; }) &&
      with(
          "Layers into which a normalisation is folded still have the weights of the first call of "
          "mnist_predict: they were folded then, and kept. Weights and running means change, so "
          "fold them in every call.",
          [&](const std::string& name) {
            return is_folded_into("conv", name) || is_folded_into("dense", name);
          }) &&
      with(
          "The convolution into which a normalisation is folded still has the weights of the first "
          "call of mnist_predict: they were folded then, and kept. Weights and running means "
          "change, so fold them in every call.",
          [&](const std::string& name) { return is_folded_into("conv", name); }) &&
      with(
          "The dense layer into which a normalisation is folded still has the weights of the first "
          "call of mnist_predict: they were folded then, and kept. Weights and running means "
          "change, so fold them in every call.",
          [&](const std::string& name) { return is_folded_into("dense", name); }) &&
      with(
          "The normalisations work by the running means of the first call of mnist_predict: they "
          "must be read in every call.",
          [&](const std::string& name) {
            return name.ends_with("_mean") || name.ends_with("_variance");
          });
}

constexpr const char* kAgainHint =
    "mnist_predict may keep memory from call to call, but no values: all that depends on the "
    "parameters, folded weights, too, is computed anew in each call.";
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
    {"network_forward", kForwardHint, forward, forward_of_new_network},
    {"network_gradients", kGradientsHint, gradients, other_dropout},
    {"network_predict", kInferenceHint, predict, batch_mistakes},
    {"network_predict_again", kAgainHint, predict, old_answers},
};
const RegisterNetworks kPassesRegistered(kPasses);
const RegisterComposedOp kNetworkForwardComposed({"network_forward", kForwardHint});
const RegisterComposedOp kNetworkGradientsComposed({"network_gradients", kGradientsHint});
const RegisterComposedOp kNetworkPredictComposed({"network_predict", kInferenceHint});
const RegisterComposedOp kPredictAgainComposed({"network_predict_again", kAgainHint});

// dx of a network that begins with a pooling: right but for what lies in no window, which holds
// what was there before. (Behind another layer it goes into everything.)
std::optional<std::vector<double>> rest_kept(const Evidence& evidence) {
  const auto network = architecture_of(evidence);
  if (!network || evidence.got.name != "dx" || evidence.got.f32.empty()) return std::nullopt;
  const LayerSpec& first = network->layers[0];
  if (first.kind != "maxpool" && first.kind != "avgpool") return std::nullopt;
  std::vector<double> dx(evidence.reference.f64.begin(), evidence.reference.f64.end());
  for (int64_t i = 0; i < std::ssize(dx); ++i) {
    const int64_t column = i % first.in.w, row = i / first.in.w % first.in.h;
    if (row < first.out.h * first.kh && column < first.out.w * first.kw) continue;
    const float got = evidence.got.f32[size_t(i)];
    dx[size_t(i)] =
        is_unwritten(std::bit_cast<uint32_t>(got)) ? predicted_unwritten() : double(got);
  }
  return dx;
}

const MistakeModel kPassMistakes[] = {
    {"rest_of_pooling_kept", "network_gradients",
     "Rows and columns that are left over beside the windows of the pooling are not written on the "
     "way back: they keep what the memory held before, and must become 0, also where only rows or "
     "only columns are left over.",
     "Set dx to 0 before the windows give out their gradients, or write 0 where no window is.",
     rest_kept, 1, 2},
};
const RegisterMistakes kPassMistakesRegistered(kPassMistakes);

}  // namespace
}  // namespace convkit::stage_07

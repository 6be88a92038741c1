// SPDX-License-Identifier: MIT
// Mistakes of the whole network: the rows of a softmax are close to 0 and 1 whatever went wrong
// before it, so their values fit too many explanations. So the network is computed with a mistake
// in it, one after the other.
#include <string>

#include "case_reader.h"
#include "compare/diagnose.h"
#include "compare/network/mistakes.h"
#include "compare/network/passes.h"

namespace convkit::stage_01 {
namespace {

constexpr const char* kText =
    "input 1x28x28\nconv 6 5x5 pad 2\nrelu\nmaxpool 2x2\nconv 16 5x5\nrelu\nmaxpool 2x2\nflatten\n"
    "dense 120\nrelu\ndense 84\nrelu\ndense 10\nsoftmax\n";

// With the names of the handout, which numbers neither ReLU nor pooling.
Architecture lenet() {
  Architecture network = parse_architecture(kText);
  int dense = 0;
  std::string before;
  for (LayerSpec& layer : network.layers) {
    if (layer.kind == "dense") layer.name = "fc" + std::to_string(++dense);
    if (layer.kind == "conv" || layer.kind == "dense") before = layer.name;
    if (layer.kind == "relu") layer.name = "the ReLU behind " + before;
    if (layer.kind == "maxpool") layer.name = "the max pooling behind " + before;
  }
  return network;
}

std::optional<NetworkProgram> forward(const Evidence& evidence) {
  const Architecture network = lenet();
  NetworkProgram program;
  NetworkPass pass;
  pass.n = size_parameter(evidence, "n");
  const auto given = [&](const std::string& name, const std::string& input_name, int64_t size) {
    const auto values = input(evidence, input_name.c_str());
    return program.add(name, size, {values.begin(), values.end()});
  };
  const int x = given("the images", "x", pass.n * network.input.size());
  NetworkParameters parameters;
  for (const auto& [name, size] : parameters_of(network)) {
    // "conv1_weight" is conv1_w here.
    const size_t end = name.find('_') + 2;
    parameters[name] = given(name.substr(0, end), name.substr(0, end), size);
  }
  const int logits = add_forward(program, network, parameters, x, pass).last;
  program.result = add_softmax(program, network, logits, pass.n);
  program.images = pass.n;
  return program;
}

constexpr const char* kLenetHint =
    "A mistake in any layer shows here: if a task before this one fails, mend that first, the "
    "cases "
    "of each layer say more. If all pass, compare the order of the layers, their sizes and their "
    "padding with the handout.";

const RegisterComposedOp kLenet({"lenet_forward", kLenetHint});

const NetworkOperation kNetwork[] = {
    {"lenet_forward",
     "Compare the order of the layers, their sizes and their padding with the "
     "handout.",
     forward}};
const RegisterNetworks kNetworkRegistered(kNetwork);

}  // namespace
}  // namespace convkit::stage_01

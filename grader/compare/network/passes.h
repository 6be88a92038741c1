// SPDX-License-Identifier: MIT
// Builds programs: the passes of a network that is given as text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compare/network/program.h"
#include "convkit/architecture.h"

namespace convkit {

// The value of each parameter: "conv1_weight", "batchnorm1_mean".
using NetworkParameters = std::map<std::string, int>;

struct NetworkPass {
  int64_t n = 1;
  bool training = false;
  uint64_t seed = 0;
  int64_t step = 0;
  double momentum = double(0.1f), epsilon = double(1e-5f);  // of normalisations
};

struct ForwardValues {
  struct OfLayer {
    int x = -1, y = -1;
    int mean = -1, inverse = -1;  // of the batch, where it is normalised by them
  };
  std::vector<OfLayer> layers;
  int last = -1;  // what goes into the softmax
};

// Adds all layers but the softmax. In training, the running means in `parameters` are then those
// that it has moved.
ForwardValues add_forward(NetworkProgram& program, const Architecture& network,
                          NetworkParameters& parameters, int x, const NetworkPass& pass);

struct BackwardValues {
  NetworkParameters gradients;  // by the names of the parameters
  int dx = -1;
};

// From the gradient of what goes into the softmax. The pass must have been one of training.
BackwardValues add_backward(NetworkProgram& program, const Architecture& network,
                            const NetworkParameters& parameters, const ForwardValues& forward,
                            const NetworkPass& pass, int dlogits);

// Probabilities of n rows; what they are computed from.
int add_softmax(NetworkProgram& program, const Architecture& network, int logits, int64_t n);

// The sizes of all parameters, in the order of the layers.
std::vector<std::pair<std::string, int64_t>> parameters_of(const Architecture& network);

}  // namespace convkit

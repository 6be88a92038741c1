// SPDX-License-Identifier: MIT
// Programs that are one mistake away from a network's: an operation left out, exchanged with its
// neighbour, fed with another tensor.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/network/program.h"

namespace convkit {

struct NetworkVariant {
  NetworkProgram program;
  std::vector<bool> changed;  // which operations differ from those of the right program
  std::string sentence;       // what a student reads
  std::string cause;          // the same for the same mistake in another network
  // Tensors have other sizes, so that images do not lie where they did: compute all of them.
  bool moves_images = false;
  // A known way to get a network wrong; else one of many that come of trying everything.
  bool is_plain = true;
};

// Operations that a mistake may change together: all of a kind, or those of one layer, in every
// step.
struct OpGroup {
  std::vector<size_t> ops;
  std::string place;  // "conv1", "every convolution"
};
std::vector<OpGroup> groups_of(const NetworkProgram& program);

// The likeliest first, until `visit` returns false.
void for_each_variant(const NetworkProgram& program,
                      const std::function<bool(NetworkVariant)>& visit);

}  // namespace convkit

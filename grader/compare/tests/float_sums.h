// SPDX-License-Identifier: MIT
// Programs that compute sums of products in many ways, for the test of precision.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace convkit {

// Outputs of one program with references in double. All inputs are uniform in (-1, 1).
struct Simulation {
  std::vector<float> first, second;  // the factors
  std::vector<float> got;
  std::vector<double> reference, magnitude;
};

// A program: 1024 outputs of `products` products each, drawn with `seed`.
struct FloatProgram {
  std::string name;
  int fewest;  // products
  bool honest;
  std::function<Simulation(int products, unsigned seed)> run;
};

// Sums in several orders, by other algorithms, and from rounded inputs.
std::vector<FloatProgram> programs();

}  // namespace convkit

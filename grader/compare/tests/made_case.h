// SPDX-License-Identifier: MIT
// A case made on the spot, for tests of models of mistakes: inputs, reference and magnitude by
// plain loops that share no code with the models.
#pragma once

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "convkit/conv2d_shape.h"
#include "convkit/sentinel.h"

namespace convkit {

struct MadeCase {
  std::string op;
  std::map<std::string, double> params;
  std::map<std::string, std::vector<float>> inputs;
  std::vector<int64_t> dims;  // of the output
  std::string output = "y";
  std::vector<double> reference;
  std::vector<double> magnitude;
  std::vector<int32_t> int_reference;
  double terms = 0;

  // The evidence about an output; `got` must outlive it, as must this.
  Evidence evidence(const std::vector<float>& got) const {
    Evidence result = frame();
    result.got = {output, dims, got, {}, {}};
    result.reference = {output, dims, {}, reference, {}};
    result.comparison = compare(got, reference, magnitude, result.tolerance);
    return result;
  }
  Evidence evidence(const std::vector<int32_t>& got) const {
    Evidence result = frame();
    result.got = {output, dims, {}, {}, got};
    result.reference = {output, dims, {}, {}, int_reference};
    result.comparison = compare_int(got, int_reference);
    return result;
  }
  bool is_int() const { return !int_reference.empty(); }

 private:
  Evidence frame() const {
    Evidence result;
    result.op = op;
    result.params = params;
    for (const auto& [name, values] : inputs) result.inputs.push_back({name, {}, values, {}, {}});
    result.magnitude = magnitude;
    result.tolerance.terms = terms;
    return result;
  }
};

// Normal values: about half of them negative.
std::vector<float> normal_values(std::mt19937& random, int64_t count, float scale = 1);

// Zeros before the first element where the output is to have ceil(size / stride) elements.
int same_before(int size, int kernel, int stride, int dilation);

// A convolution with bias, whatever `op` it is called by. One with "_same_" in its name computes
// its own padding: then the pads of `shape` are unused.
MadeCase conv_case(const std::string& op, const Conv2dShape& shape, std::mt19937& random);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Cases of stage 01 made on the spot: inputs, reference and magnitude by plain loops that share no
// code with the models of mistakes.
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

struct Stage01Case {
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

// `op` is conv2d_forward, conv2d_fast or conv2d_same_forward (then the pads of `shape` are unused).
Stage01Case conv_case(const std::string& op, const Conv2dShape& shape, std::mt19937& random);
Stage01Case max_pool_case(const Pool2dShape& shape, std::mt19937& random);
Stage01Case avg_pool_case(const Pool2dShape& shape, bool count_padding, std::mt19937& random);
Stage01Case global_avg_pool_case(int n, int c, int h, int w, std::mt19937& random);
// relu_forward, leaky_relu_forward (slope 0.1), sigmoid_forward or tanh_forward over large and
// small values; relu's contain a NaN.
Stage01Case activation_case(const std::string& op, std::mt19937& random);
Stage01Case dense_case(int n, int in, int out, std::mt19937& random);
Stage01Case softmax_case(int n, int k, float scale, std::mt19937& random);
Stage01Case layout_case(const std::string& op, int n, int c, int h, int w, std::mt19937& random);
Stage01Case same_padding_case(int size, int kernel, int stride, int dilation);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Cases of the stage's other functions.
#pragma once

#include <string_view>

#include "compare/tests/made_case.h"

namespace convkit {

MadeCase max_pool_case(const Pool2dShape& shape, std::mt19937& random);
MadeCase avg_pool_case(const Pool2dShape& shape, bool count_padding, std::mt19937& random);
MadeCase global_avg_pool_case(int n, int c, int h, int w, std::mt19937& random);
// relu_forward, leaky_relu_forward (slope 0.1), sigmoid_forward or tanh_forward over large and
// small values; relu's contain a NaN.
MadeCase activation_case(const std::string& op, std::mt19937& random);
MadeCase dense_case(int n, int in, int out, std::mt19937& random);
MadeCase softmax_case(int n, int k, float scale, std::mt19937& random);
MadeCase layout_case(const std::string& op, int n, int c, int h, int w, std::mt19937& random);
MadeCase same_padding_case(int size, int kernel, int stride, int dilation);

// Whether the sentence is part of the diagnosis.
bool says(const Diagnosis& diagnosis, std::string_view sentence);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The algorithms by their cuDNN names: which convolutions each of them takes, and the workspace
// that one of its kind needs. Here all of them do the same computation, so they take about the same
// time.
#pragma once

#include <string>
#include <vector>

#include "cpu_device/dnn/convolution.h"

namespace convkit::simt::dnn {

struct Judgement {
  cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED;
  size_t workspace = 0;
  bool deterministic = true;
  std::string why;  // it is not a success
};

// "1 (CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM)"
std::string algorithm_text(Pass pass, int algorithm);

// Returns BAD_PARAM if there is no such algorithm.
Judgement judge(Pass pass, int algorithm, const Convolution& convolution);

// All algorithms of a pass, the one that is likely the fastest on a GPU first.
const std::vector<int>& algorithms(Pass pass);

}  // namespace convkit::simt::dnn

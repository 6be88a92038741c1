// SPDX-License-Identifier: MIT
// The common part of calls that convolve: the checks and the data that are taken at the call.
#pragma once

#include "cpu_device/dnn/algorithms.h"

namespace convkit::simt::dnn {

struct Prepared {
  LibraryCall call;
  Convolution conv;
  Factors factors;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;

  // In the operation.
  bool may_use_workspace() const {
    return may_use_bytes(call, "workSpace", workspace, workspace_bytes, Use::write);
  }
};

cudnnStatus_t prepare(Pass pass, int algorithm, cudnnTensorDescriptor_t x,
                      cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t convolution,
                      cudnnTensorDescriptor_t y, const void* alpha, const void* beta,
                      void* workspace, size_t workspace_bytes, Prepared& prepared);

}  // namespace convkit::simt::dnn

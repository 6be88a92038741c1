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

// alpha and beta with their names, and the workspace.
struct Additions {
  NamedPointer alpha, beta;
  void* workspace;
  size_t workspace_bytes;
};

// False, if the call is refused.
bool prepare(Refusal& refusal, Pass pass, int algorithm, const Described& arguments,
             const Additions& additions, Prepared& prepared);

}  // namespace convkit::simt::dnn

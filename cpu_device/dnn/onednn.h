// SPDX-License-Identifier: MIT
// oneDNN, through a module of ours that is opened when the program starts: the library is linked
// with the module alone, so one that has gone since is no harm.
#pragma once

#include "cpu_device/dnn/convolution.h"

namespace convkit::simt::dnn {

// What one pass of one shape needs, prepared once and kept by the module.
struct OneDnnPlan;

struct OneDnn {
  // Null: it does not compute this. A plan is good until the next one is asked for.
  OneDnnPlan* (*plan)(Pass pass, const Convolution& convolution) = nullptr;
  // On floats, with the filter as it lies, on the calling thread alone. The result is written
  // without being read, and nothing between its elements is. False: it failed, as for want of
  // memory.
  bool (*run)(OneDnnPlan* plan, const float* one, const float* other, float* result) = nullptr;
};

// What the module exports under this name.
using GetOneDnn = void (*)(OneDnn*);
inline constexpr const char* kGetOneDnn = "convkit_onednn";

// Has no plan for anything where it was not found, or CONVKIT_SIMT_ONEDNN is 0.
const OneDnn& onednn();

}  // namespace convkit::simt::dnn

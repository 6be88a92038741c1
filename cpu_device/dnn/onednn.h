// SPDX-License-Identifier: MIT
// oneDNN, through a module of the kit that is opened when the program starts. Only the module is
// linked with the library, so the library may be removed later.
#pragma once

#include "cpu_device/dnn/convolution.h"

namespace convkit::simt::dnn {

// The data that one pass of one shape needs; it is prepared once and kept by the module.
struct OneDnnPlan;

struct OneDnn {
  // Null: it does not compute this. A plan is good until the next one is asked for.
  OneDnnPlan* (*plan)(Pass pass, const Convolution& convolution) = nullptr;
  // Computes with floats on the calling thread alone, with the filter as it is in memory. Only
  // elements of the result are written, and they are not read. Returns false if it failed, for
  // example without enough memory.
  bool (*run)(OneDnnPlan* plan, const float* one, const float* other, float* result) = nullptr;
};

// The function that the module exports under this name.
using GetOneDnn = void (*)(OneDnn*);
inline constexpr const char* kGetOneDnn = "convkit_onednn";

// Has no plan for anything where it was not found, or CONVKIT_SIMT_ONEDNN is 0.
const OneDnn& onednn();

}  // namespace convkit::simt::dnn

// SPDX-License-Identifier: MIT
// The contents of a dropout descriptor.
#pragma once

#include "simt/cudnn_dropout.h"

struct cudnnDropoutStruct {
  float probability = 0;
  void* states = nullptr;  // in device memory
  unsigned long long seed = 0;
};

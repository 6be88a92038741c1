// SPDX-License-Identifier: MIT
// What a descriptor of a dropout holds.
#pragma once

#include "simt/cudnn_dropout.h"

struct cudnnDropoutStruct {
  float probability = 0;
  void* states = nullptr;  // in device memory
  unsigned long long seed = 0;
};

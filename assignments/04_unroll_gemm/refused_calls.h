// SPDX-License-Identifier: MIT
// The calls of conv2d_* that must be refused, for the harness: each has one thing wrong.
#pragma once

#include <cstddef>

#include "convkit/conv2d_shape.h"

namespace convkit::harness {

// The size of the unrolled matrix of one image.
inline size_t image_bytes(const Conv2dShape& s) {
  return sizeof(float) * static_cast<size_t>(s.c) * static_cast<size_t>(s.kh * s.kw) *
         static_cast<size_t>(s.oh()) * static_cast<size_t>(s.ow());
}

// The arguments of all three functions.
struct Arguments {
  const float *x, *w, *b;
  float* y;
  Conv2dShape shape;
  void* workspace;
  size_t workspace_bytes;
};

// The fault of each call. The first has no fault: without images there is nothing to do. Functions
// without a workspace get the first eight. All pointers are to a few bytes with margins around
// them: a function that does not refuse the call writes past their end.
inline constexpr void (*kFaults[])(Arguments&) = {
    [](Arguments& call) { call.shape.n = 0; },
    [](Arguments& call) { call.x = nullptr; },
    [](Arguments& call) { call.w = nullptr; },
    [](Arguments& call) { call.b = nullptr; },
    [](Arguments& call) { call.y = nullptr; },
    [](Arguments& call) { call.x = call.y; },
    [](Arguments& call) {  // one row more than there is, and (-1) / 8 + 1 is 1
      Conv2dShape& s = call.shape;
      s.kh = s.h + 2 * s.pad_h + 1, s.dilation_h = 1, s.stride_h = 8;
    },
    [](Arguments& call) { call.shape.groups = 2, call.shape.c = 2, call.shape.m = 4; },
    [](Arguments& call) { call.workspace = nullptr; },
    [](Arguments& call) { call.workspace_bytes = image_bytes(call.shape) - 1; },
    [](Arguments& call) { call.workspace_bytes = 0; },
};

}  // namespace convkit::harness

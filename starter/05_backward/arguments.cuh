// SPDX-License-Identifier: MIT
// The arguments that the functions of tasks 05.1 to 05.4 refuse before a launch.
#pragma once

#include <initializer_list>

#include "backward.h"

// One tensor of a call. It may be null if it has no elements.
struct Argument {
  const void* data;
  int64_t elements;
};

// cudaErrorInvalidValue for a null pointer, for an output that is also an input, and for a shape
// without output or with several groups. The last argument is the output. An empty batch (n = 0) is
// fine.
inline cudaError_t check_arguments(std::initializer_list<Argument> arguments,
                                   const Conv2dShape& s) {
  const int reach_h = s.dilation_h * (s.kh - 1) + 1, reach_w = s.dilation_w * (s.kw - 1) + 1;
  const bool shape_is_good = s.n >= 0 && s.c >= 1 && s.m >= 1 && s.h >= 1 && s.w >= 1 &&
                             s.kh >= 1 && s.kw >= 1 && s.pad_h >= 0 && s.pad_w >= 0 &&
                             s.stride_h >= 1 && s.stride_w >= 1 && s.dilation_h >= 1 &&
                             s.dilation_w >= 1 && s.groups == 1 && reach_h <= s.h + 2 * s.pad_h &&
                             reach_w <= s.w + 2 * s.pad_w;
  if (!shape_is_good) return cudaErrorInvalidValue;
  const Argument& output = *(arguments.end() - 1);
  for (const Argument& argument : arguments) {
    if (argument.elements > 0 && !argument.data) return cudaErrorInvalidValue;
    if (&argument != &output && argument.data && argument.data == output.data) {
      return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

// SPDX-License-Identifier: MIT
// The calls of conv2d_* that must be refused, for the harness: each has one thing wrong.
#pragma once

#include <cstddef>
#include <string>

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

// What is wrong with a call, in words that follow "was called", and how it becomes wrong.
struct Fault {
  std::string (*words)(const Arguments&);  // of the call that is made
  void (*make)(Arguments&);
};

// The first has no fault: without images there is nothing to do. Functions without a workspace get
// the first eight. All pointers are to a few bytes with margins around them: a function that does
// not refuse the call writes past their end.
inline constexpr Fault kFaults[] = {
    {[](const Arguments&) -> std::string { return "with a batch without images (n = 0)"; },
     [](Arguments& call) { call.shape.n = 0; }},
    {[](const Arguments&) -> std::string { return "with d_x = nullptr"; },
     [](Arguments& call) { call.x = nullptr; }},
    {[](const Arguments&) -> std::string { return "with d_w = nullptr"; },
     [](Arguments& call) { call.w = nullptr; }},
    {[](const Arguments&) -> std::string { return "with d_b = nullptr"; },
     [](Arguments& call) { call.b = nullptr; }},
    {[](const Arguments&) -> std::string { return "with d_y = nullptr"; },
     [](Arguments& call) { call.y = nullptr; }},
    {[](const Arguments&) -> std::string { return "with the same memory as d_x and d_y"; },
     [](Arguments& call) { call.x = call.y; }},
    {[](const Arguments& call) {
       return "with a kernel of " + std::to_string(call.shape.kh) +
              " rows, where the padded input " + "has " +
              std::to_string(call.shape.h + 2 * call.shape.pad_h);
     },
     [](Arguments& call) {  // one row more than there is, and (-1) / 8 + 1 is 1
       Conv2dShape& s = call.shape;
       s.kh = s.h + 2 * s.pad_h + 1, s.dilation_h = 1, s.stride_h = 8;
     }},
    {[](const Arguments&) -> std::string { return "with groups = 2"; },
     [](Arguments& call) { call.shape.groups = 2, call.shape.c = 2, call.shape.m = 4; }},
    {[](const Arguments&) -> std::string { return "with d_workspace = nullptr"; },
     [](Arguments& call) { call.workspace = nullptr; }},
    {[](const Arguments& call) {
       return "with a workspace of " + std::to_string(call.workspace_bytes) + " bytes, where one " +
              "image needs " + std::to_string(image_bytes(call.shape));
     },
     [](Arguments& call) { call.workspace_bytes = image_bytes(call.shape) - 1; }},
    {[](const Arguments& call) {
       return "with a workspace of 0 bytes, where one image needs " +
              std::to_string(image_bytes(call.shape));
     },
     [](Arguments& call) { call.workspace_bytes = 0; }},
};

}  // namespace convkit::harness

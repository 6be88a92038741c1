// SPDX-License-Identifier: MIT
// A convolution whose descriptors fit each other, and its three passes on existing memory.
#pragma once

#include "cpu_device/dnn/arguments.h"

namespace convkit::simt::dnn {

constexpr int kSpace = 3;  // depth, height, width; the depth of a picture is 1

// Distances of (image or filter, channel, depth, height, width).
struct Distances {
  int64_t outer = 0, channel = 0, space[kSpace] = {};
};

struct Convolution {
  int images = 0, groups = 1;
  int channels = 0, filters = 0;  // of each group
  int in[kSpace], out[kSpace], window[kSpace], pad[kSpace], stride[kSpace], dilation[kSpace];
  int space_dims = 2;
  bool flipped = false;
  Distances x, w, y;
  cudnnTensorStruct x_tensor, w_tensor, y_tensor;

  int64_t in_volume() const { return int64_t{in[0]} * in[1] * in[2]; }
  int64_t out_volume() const { return int64_t{out[0]} * out[1] * out[2]; }
  int64_t window_volume() const { return int64_t{window[0]} * window[1] * window[2]; }
};

enum class Pass { forward, data, filter };

// The descriptors among the arguments of a call, and what they are called there.
struct Described {
  cudnnTensorDescriptor_t x;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t convolution;
  cudnnTensorDescriptor_t y;
  struct Names {
    const char *x, *w, *y;
  } names;
};
Described::Names names_of(Pass pass);  // "xDesc", "wDesc", "yDesc"; "dxDesc", ...

// False, if the call is refused. BAD_PARAM: they do not fit. NOT_SUPPORTED: tensors of several
// types, of a type that is not computed, or with other than 2 or 3 dimensions.
bool describe(Refusal& refusal, const Described& arguments, Convolution& result);

// The tensors of a pass: x, w -> y forward; w, dy -> dx to the data; x, dy -> dw to the filter.
struct PassTensors {
  const cudnnTensorStruct &one, &other, &result;
};
PassTensors tensors_of(Pass pass, const Convolution& convolution);

// result = alpha * what is computed + beta * result: with oneDNN, if it was found and takes the
// convolution, else with loops of our own.
void compute(Pass pass, const Convolution& convolution, Factors factors, const void* one,
             const void* other, void* result);

// With loops of our own, on floats. Sums are floats.
void compute_plainly(Pass pass, const Convolution& convolution, Factors factors, const float* one,
                     const float* other, float* result);

}  // namespace convkit::simt::dnn

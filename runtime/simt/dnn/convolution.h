// SPDX-License-Identifier: MIT
// A convolution whose descriptors fit each other, and its three passes on memory that is there.
#pragma once

#include "simt/dnn/arguments.h"

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

// BAD_PARAM: they do not fit. NOT_SUPPORTED: other types than float, other than 2 or 3 dimensions.
cudnnStatus_t describe(cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t x,
                       cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t y, Convolution& result);

// Each result is alpha times what is computed plus beta times what was there. Sums are floats; of
// the filter's gradient those of a row are, and rows are added as doubles.
void convolve(const Convolution& convolution, Factors factors, const float* x, const float* w,
              float* y);
void convolve_back_to_data(const Convolution& convolution, Factors factors, const float* w,
                           const float* dy, float* dx);
void convolve_back_to_filter(const Convolution& convolution, Factors factors, const float* x,
                             const float* dy, float* dw);

}  // namespace convkit::simt::dnn

// SPDX-License-Identifier: MIT
// Batch normalisation: what its calls have in common.
#pragma once

#include "simt/cudnn_batch_norm.h"
#include "simt/dnn/arguments.h"
#include "simt/dnn/float_copies.h"
#include "simt/dnn/places.h"
#include "simt/dnn/rows.h"

namespace convkit::simt::dnn {

bool is_mode(cudnnBatchNormMode_t mode);

// The elements of x that share a scale: of a channel, or of a place in all images.
Grouping grouping(const cudnnTensorStruct& tensor, cudnnBatchNormMode_t mode);

inline int64_t count(const cudnnTensorStruct& tensor) {
  int64_t result = 1;
  for (int axis = 0; axis < tensor.dims; ++axis) result *= tensor.size[axis];
  return result;
}

// Whether the tensor of parameters has one for each group of x, and all are of one type.
bool fits(const cudnnTensorStruct& parameters, const cudnnTensorStruct& x,
          cudnnBatchNormMode_t mode);

struct Moments {
  double mean = 0, variance = 0;
};

// Of value(places), as a double. Several sums at a time, as one after another each waits for the
// last.
template <size_t kTensors, class Value>
double sum_of(const Rows<kTensors>& rows, const Value& value) {
  constexpr size_t kLanes = 4;
  double lane[kLanes] = {};
  rows.visit([&](const auto& begin, const auto& step, int64_t row) {
    size_t next = 0;
    for_row(begin, step, row, [&](const auto& at) { lane[next++ % kLanes] += value(at); });
  });
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

Moments moments_of(const float* group, const cudnnTensorStruct& members);

}  // namespace convkit::simt::dnn

// SPDX-License-Identifier: MIT
// Batch normalisation: what its calls have in common.
#pragma once

#include "cpu_device/dnn/arguments.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/rows.h"
#include "simt/cudnn_batch_norm.h"

namespace convkit::simt::dnn {

// The refusals are BAD_PARAM.
bool is_no_mode(Refusal& refusal, cudnnBatchNormMode_t mode);
bool is_no_picture(Refusal& refusal, const cudnnTensorStruct& x);  // of 4 or 5 dimensions
bool is_too_small(Refusal& refusal, double epsilon);

// The elements of x that share a scale: of a channel, or of a place in all images.
Grouping grouping(const cudnnTensorStruct& tensor, cudnnBatchNormMode_t mode);

inline int64_t count(const cudnnTensorStruct& tensor) {
  int64_t result = 1;
  for (int axis = 0; axis < tensor.dims; ++axis) result *= tensor.size[axis];
  return result;
}

// The tensor of parameters has one for each group of x, and all are of one type.
bool parameters_misfit(Refusal& refusal, const char* argument, const cudnnTensorStruct& parameters,
                       const cudnnTensorStruct& x, cudnnBatchNormMode_t mode);
// One of two pointers that go together is null. `argument` names the first one.
bool only_one(Refusal& refusal, NamedPointer one, NamedPointer other);

struct Moments {
  double mean = 0, variance = 0;
};

// The sum of value(places) as a double. Several sums run at a time, because in a single sum each
// addition waits for the one before.
template <size_t kTensors, class Value>
double sum_of(const Rows<kTensors>& rows, const Value& value) {
  constexpr int64_t kLanes = 8;
  double lane[kLanes] = {};
  rows.visit([&](const auto& begin, const auto& step, int64_t row) {
    with_steps(step, [&](const auto& step_of) {
      const auto at = [&](int64_t i) { return value(moved(begin, step_of, i)); };
      int64_t i = 0;
      for (; i + kLanes <= row; i += kLanes) {
        for (int64_t j = 0; j < kLanes; ++j) lane[j] += at(i + j);
      }
      for (; i < row; ++i) lane[0] += at(i);
    });
  });
  double sum = 0;
  for (const double part : lane) sum += part;
  return sum;
}

Moments moments_of(const float* group, const cudnnTensorStruct& members);

}  // namespace convkit::simt::dnn

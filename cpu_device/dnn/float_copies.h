// SPDX-License-Identifier: MIT
// Everything is computed in float. A tensor of floats is used where it lies; one of halves is
// copied, with the same distances, and its result is rounded once, at the end.
#pragma once

#include <vector>

#include "cpu_device/dnn/descriptors.h"

namespace convkit::simt::dnn {

class FloatInput {
 public:
  FloatInput(const void* data, const cudnnTensorStruct& tensor);
  const float* data() const { return data_; }

 private:
  std::vector<float> copy_;
  const float* data_;
};

// Its contents are copied to the tensor at the end. `is_read`: it begins with the tensor's
// contents.
class FloatResult {
 public:
  FloatResult(void* data, const cudnnTensorStruct& tensor, bool is_read);
  ~FloatResult();
  FloatResult(const FloatResult&) = delete;
  FloatResult& operator=(const FloatResult&) = delete;
  float* data() { return data_; }

 private:
  cudnnTensorStruct tensor_;
  void* given_;
  std::vector<float> copy_;
  float* data_;
};

}  // namespace convkit::simt::dnn

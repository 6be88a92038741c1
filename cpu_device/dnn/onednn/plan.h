// SPDX-License-Identifier: MIT
// One pass of a convolution as oneDNN computes it, with what it needs between calls.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <unordered_map>

#include "cpu_device/dnn/onednn.h"

namespace convkit::simt::dnn {

// A tensor of the caller and, where the primitive wants another layout, its reordered copy.
class OneDnnTensor {
 public:
  OneDnnTensor() = default;
  OneDnnTensor(const dnnl::memory::desc& given, const dnnl::memory::desc& wanted);

  const dnnl::memory& inner() const { return inner_; }
  void take(const float* data);
  void point_to(float* data) { given_.set_data_handle(data); }
  void give();
  size_t bytes() const { return pack_ ? inner_.get_desc().get_size() : 0; }

 private:
  dnnl::memory given_, inner_;  // the same memory where no reorder is needed
  std::optional<dnnl::reorder> pack_, unpack_;
};

// The three tensors of a convolution, or what is asked of them: x, w, y.
struct OneDnnShape {
  dnnl::memory::desc x, w, y;
};

struct OneDnnPlan {
  // Throws dnnl::error where oneDNN does not compute it.
  OneDnnPlan(Pass pass, const Convolution& convolution);
  OneDnnPlan(const OneDnnPlan&) = delete;
  OneDnnPlan& operator=(const OneDnnPlan&) = delete;

  void run(const float* one, const float* other, float* result);
  // The size of the reordered copies.
  size_t bytes() const { return one_.bytes() + other_.bytes() + result_.bytes(); }

 private:
  OneDnnTensor one_, other_, result_;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

}  // namespace convkit::simt::dnn

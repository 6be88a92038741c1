// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/float_copies.h"

#include "cpu_device/dnn/rows.h"
#include "simt/half_type.h"

namespace convkit::simt::dnn {
namespace {

std::vector<float> widened(const void* data, const cudnnTensorStruct& tensor) {
  std::vector<float> copy(static_cast<size_t>(extent(tensor)));
  const auto* halves = static_cast<const __half*>(data);
  rows_of(tensor).visit([&](const auto& begin, const auto& step, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = begin[0] + i * step[0];
      copy[static_cast<size_t>(at)] = static_cast<float>(halves[at]);
    }
  });
  return copy;
}

bool is_half(const cudnnTensorStruct& tensor) {
  return tensor.type == CUDNN_DATA_HALF;
}

}  // namespace

FloatInput::FloatInput(const void* data, const cudnnTensorStruct& tensor)
    : data_(static_cast<const float*>(data)) {
  if (!is_half(tensor)) return;
  copy_ = widened(data, tensor);
  data_ = copy_.data();
}

FloatResult::FloatResult(void* data, const cudnnTensorStruct& tensor, bool is_read)
    : tensor_(tensor), given_(data), data_(static_cast<float*>(data)) {
  if (!is_half(tensor)) return;
  copy_ = is_read ? widened(data, tensor) : std::vector<float>(static_cast<size_t>(extent(tensor)));
  data_ = copy_.data();
}

FloatResult::~FloatResult() {
  if (!is_half(tensor_)) return;
  auto* halves = static_cast<__half*>(given_);
  rows_of(tensor_).visit([&](const auto& begin, const auto& step, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = begin[0] + i * step[0];
      halves[at] = __half(data_[at]);
    }
  });
}

}  // namespace convkit::simt::dnn

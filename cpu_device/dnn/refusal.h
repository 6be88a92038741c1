// SPDX-License-Identifier: MIT
// Why a call of cuDNN was refused, with the names that cuDNN's documentation gives its arguments.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/handle.h"
#include "cpu_device/engine/refusal.h"

namespace convkit::simt::dnn {

using simt::said;

// "2 x 6 x 5 x 5"
std::string sizes_text(int dims, const int size[]);
inline std::string sizes_text(const cudnnTensorStruct& tensor) {
  return sizes_text(tensor.dims, tensor.size);
}
// "CUDNN_DATA_FLOAT"
std::string type_text(cudnnDataType_t type);

class Refusal : public RefusalOf<cudnnStatus_t, CONVKIT_SIMT_CUDNN> {
 public:
  using RefusalOf::RefusalOf;

  bool bad_param(const std::string& sentence) {
    return with(CUDNN_STATUS_BAD_PARAM, sentence + remark_);
  }
  // Follows every sentence about a bad argument from now on.
  void remark(std::string text) { remark_ = std::move(text); }
  bool not_supported(const std::string& sentence) {
    return with(CUDNN_STATUS_NOT_SUPPORTED, sentence);
  }

  // BAD_PARAM, with the argument's name and what is wrong with it.
  bool no_handle(cudnnHandle_t handle);
  // Or a descriptor that has been destroyed.
  bool null(std::initializer_list<NamedPointer> pointers);
  bool destroyed(const char* argument, const void* pointer);
  bool never_set(const char* argument, const cudnnTensorStruct& tensor);
  bool sizes_differ(const char* argument, const cudnnTensorStruct& tensor, const char* other_name,
                    const cudnnTensorStruct& other);
  bool types_differ(const char* argument, cudnnDataType_t type, const char* other_name,
                    cudnnDataType_t other);
  bool unknown_type(const char* argument, cudnnDataType_t type);
  bool unknown_format(const char* argument, cudnnTensorFormat_t format);
  bool unknown_nan_option(const char* argument, cudnnNanPropagation_t value);
  // `rule` is a sentence, as in "h is 0; every dimension must be at least 1".
  bool wrong_number(const char* argument, int64_t value, const char* rule) {
    return bad_param(said(argument, " is ", value, "; ", rule));
  }

  // Of a bias: 1 x channels x 1 x ...
  bool is_no_bias_of(const char* argument, const cudnnTensorStruct& bias, const char* other_name,
                     const cudnnTensorStruct& other);

  // Each size must be 1 or that of the other.
  bool cannot_spread(const char* argument, const cudnnTensorStruct& tensor, const char* other_name,
                     const cudnnTensorStruct& other);

  // NOT_SUPPORTED: of another type than the device computes, or with a negative stride.
  bool not_computed(const char* argument, const cudnnTensorStruct& tensor);

 private:
  std::string remark_;
};

}  // namespace convkit::simt::dnn

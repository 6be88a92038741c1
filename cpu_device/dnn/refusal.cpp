// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/refusal.h"

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/arguments.h"
#include "cpu_device/dnn/places.h"

namespace convkit::simt::dnn {

std::string sizes_text(int dims, const int size[]) {
  std::string text;
  for (int i = 0; i < dims; ++i) text += (i > 0 ? " x " : "") + std::to_string(size[i]);
  return text;
}

std::string type_text(cudnnDataType_t type) {
#define CONVKIT_TYPE(name) \
  case name:               \
    return #name;
  switch (type) {
    CONVKIT_TYPE(CUDNN_DATA_FLOAT)
    CONVKIT_TYPE(CUDNN_DATA_DOUBLE)
    CONVKIT_TYPE(CUDNN_DATA_HALF)
    CONVKIT_TYPE(CUDNN_DATA_INT8)
    CONVKIT_TYPE(CUDNN_DATA_INT32)
    CONVKIT_TYPE(CUDNN_DATA_INT8x4)
    CONVKIT_TYPE(CUDNN_DATA_UINT8)
    CONVKIT_TYPE(CUDNN_DATA_UINT8x4)
    CONVKIT_TYPE(CUDNN_DATA_INT8x32)
    CONVKIT_TYPE(CUDNN_DATA_BFLOAT16)
    CONVKIT_TYPE(CUDNN_DATA_INT64)
    CONVKIT_TYPE(CUDNN_DATA_BOOLEAN)
    default:
      return std::to_string(static_cast<int>(type));
  }
#undef CONVKIT_TYPE
}

bool Refusal::no_handle(cudnnHandle_t handle) {
  if (is_alive(handle)) return false;
  return bad_param(handle ? "handle was not made by cudnnCreate, or has been destroyed"
                          : "handle is null");
}

bool Refusal::null(std::initializer_list<NamedPointer> pointers) {
  for (const NamedPointer& each : pointers) {
    if (!each.pointer) return bad_param(said(each.argument, " is null"));
    if (destroyed(each.argument, each.pointer)) return true;
  }
  return false;
}

bool Refusal::destroyed(const char* argument, const void* pointer) {
  const std::string how = destruction_of(pointer);
  if (how.empty()) return false;
  bad_param(said(argument, " has been destroyed already", how));
  if (check_hooks) {
    check_hooks->call_refused(convkit_simt_why_refused(CONVKIT_SIMT_CUDNN, status()),
                              "CUDNN_STATUS_BAD_PARAM");
  }
  return true;
}

bool Refusal::never_set(const char* argument, const cudnnTensorStruct& tensor) {
  return tensor.dims == 0 && bad_param(said(argument, " has no sizes yet: set the descriptor"));
}

bool Refusal::sizes_differ(const char* argument, const cudnnTensorStruct& tensor,
                           const char* other_name, const cudnnTensorStruct& other) {
  if (same_sizes(tensor, other)) return false;
  return never_set(argument, tensor) || never_set(other_name, other) ||
         bad_param(said(other_name, " is ", sizes_text(other), "; it must be of the sizes of ",
                        argument, ", ", sizes_text(tensor)));
}

bool Refusal::types_differ(const char* argument, cudnnDataType_t type, const char* other_name,
                           cudnnDataType_t other) {
  return type != other && bad_param(said(other_name, " has the type ", type_text(other), ", and ",
                                         argument, " ", type_text(type)));
}

bool Refusal::unknown_type(const char* argument, cudnnDataType_t type) {
  return element_bytes(type) == 0 &&
         bad_param(said(argument, " is ", type_text(type), ", which is no type of the library"));
}

bool Refusal::unknown_format(const char* argument, cudnnTensorFormat_t format) {
  return !is_format(format) &&
         wrong_number(argument, format, "it must be CUDNN_TENSOR_NCHW or CUDNN_TENSOR_NHWC");
}

bool Refusal::unknown_nan_option(const char* argument, cudnnNanPropagation_t value) {
  return !is_nan_propagation(value) &&
         wrong_number(argument, value, "it must be CUDNN_PROPAGATE_NAN or CUDNN_NOT_PROPAGATE_NAN");
}

bool Refusal::is_no_bias_of(const char* argument, const cudnnTensorStruct& bias,
                            const char* other_name, const cudnnTensorStruct& other) {
  if (never_set(argument, bias) || never_set(other_name, other)) return true;
  cudnnTensorStruct wanted = other;
  for (int i = 0; i < wanted.dims; ++i) {
    if (i != 1) wanted.size[i] = 1;
  }
  return (!same_sizes(bias, wanted) &&
          bad_param(said(argument, " is ", sizes_text(bias), "; for ", other_name, " of ",
                         sizes_text(other), " it must be ", sizes_text(wanted)))) ||
         types_differ(other_name, other.type, argument, bias.type);
}

bool Refusal::cannot_spread(const char* argument, const cudnnTensorStruct& tensor,
                            const char* other_name, const cudnnTensorStruct& other) {
  if (can_spread(tensor, other)) return false;
  return never_set(argument, tensor) || never_set(other_name, other) ||
         bad_param(said(argument, " is ", sizes_text(tensor),
                        "; each of its sizes must be 1 or that of ", other_name, ", ",
                        sizes_text(other)));
}

bool Refusal::not_computed(const char* argument, const cudnnTensorStruct& tensor) {
  if (is_computed(tensor)) return false;
  if (tensor.type != CUDNN_DATA_FLOAT && tensor.type != CUDNN_DATA_HALF) {
    return not_supported(said(argument, " has the type ", type_text(tensor.type),
                              "; the CPU device computes CUDNN_DATA_FLOAT and CUDNN_DATA_HALF"));
  }
  return not_supported(said(argument, " has a negative stride"));
}

}  // namespace convkit::simt::dnn

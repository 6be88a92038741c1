// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/convolution.h"

#include <algorithm>
#include <string>
#include <utility>

namespace convkit::simt::dnn {
namespace {

// Two dimensions of space are the last two of three.
Distances distances_of(const cudnnTensorStruct& tensor) {
  Distances result;
  result.outer = tensor.stride[0];
  result.channel = tensor.stride[1];
  for (int i = 2; i < tensor.dims; ++i) {
    result.space[i - tensor.dims + kSpace] = tensor.stride[i];
  }
  return result;
}

void spread(const int* from, int count, int missing, int (&to)[kSpace]) {
  for (int i = 0; i < kSpace; ++i) {
    to[i] = i < kSpace - count ? missing : from[i - kSpace + count];
  }
}

bool are_unequal_groups(Refusal& refusal, const Described& arguments) {
  const int filters = arguments.w->size[0], groups = arguments.convolution->groups;
  return filters % groups != 0 &&
         refusal.bad_param(said(arguments.names.w, " has ", filters,
                                " filters, which is no multiple of convDesc's ", groups,
                                " groups"));
}

bool has_other_sizes(Refusal& refusal, const Described& arguments, const int* expected) {
  const cudnnTensorStruct& y = *arguments.y;
  const int dims = arguments.x->dims;
  if (y.dims == dims && std::equal(expected, expected + dims, y.size)) return false;
  return refusal.bad_param(said(arguments.names.y, " is ", sizes_text(y), "; this convolution of ",
                                arguments.names.x, ", ", sizes_text(*arguments.x), ", gives ",
                                sizes_text(dims, expected)));
}

// Whether x, convolved with w, has the sizes of y.
bool do_fit(const cudnnConvolutionStruct& convolution, const cudnnTensorStruct& x,
            const cudnnFilterStruct& w, const cudnnTensorStruct& y) {
  const int dims = convolution.dims + 2;
  const bool are_known = convolution.dims > 0 && x.dims == dims && w.dims == dims && y.dims == dims;
  if (!are_known || x.size[1] != w.size[1] * convolution.groups || y.size[0] != x.size[0] ||
      y.size[1] != w.size[0]) {
    return false;
  }
  for (int i = 2; i < dims; ++i) {
    const int axis = i - 2;
    const int room =
        x.size[i] + 2 * convolution.pad[axis] - (convolution.dilation[axis] * (w.size[i] - 1) + 1);
    if (room < 0 || y.size[i] != room / convolution.stride[axis] + 1) return false;
  }
  return true;
}

// What is likely confused where descriptors do not fit.
std::string exchanged(const Described& arguments) {
  const auto& [x, w, convolution, y, names] = arguments;
  if (do_fit(*convolution, *x, *w, *y)) return "";
  if (do_fit(*convolution, *y, *w, *x)) {
    return said("; they fit if ", names.x, " and ", names.y, " are exchanged");
  }
  cudnnFilterStruct turned = *w;
  std::swap(turned.size[0], turned.size[1]);
  if (do_fit(*convolution, *x, turned, *y)) {
    return said("; they fit if the first two sizes of ", names.w, " are exchanged");
  }
  return "";
}

// NOT_SUPPORTED.
bool is_of_other_types(Refusal& refusal, const Described& arguments) {
  const auto& [x, w, convolution, y, names] = arguments;
  const cudnnDataType_t sums = convolution->compute_type;
  const auto differs = [&](const char* name, cudnnDataType_t type) {
    return type != x->type &&
           refusal.not_supported(said(name, " has the type ", type_text(type), ", and ", names.x,
                                      " ", type_text(x->type)));
  };
  if (differs(names.w, w->type) || differs(names.y, y->type) || refusal.not_computed(names.x, *x) ||
      refusal.not_computed(names.y, *y)) {
    return true;
  }
  if (sums != CUDNN_DATA_FLOAT && !(sums == CUDNN_DATA_HALF && x->type == CUDNN_DATA_HALF)) {
    return refusal.not_supported(said("convDesc sums in ", type_text(sums), ", and ", names.x,
                                      " has the type ", type_text(x->type),
                                      "; the CPU device sums in CUDNN_DATA_FLOAT"));
  }
  const int dims = convolution->dims;
  return dims != 2 && dims != 3 &&
         refusal.not_supported(said("convDesc has ", dims, " dimensions; the CPU device computes ",
                                    "those of 2 and 3"));
}

}  // namespace

Described::Names names_of(Pass pass) {
  switch (pass) {
    case Pass::data:
      return {"dxDesc", "wDesc", "dyDesc"};
    case Pass::filter:
      return {"xDesc", "dwDesc", "dyDesc"};
    default:
      return {"xDesc", "wDesc", "yDesc"};
  }
}

bool describe(Refusal& refusal, const Described& arguments, Convolution& result) {
  const auto& [x, w, convolution, y, names] = arguments;
  if (refusal.null({{"convDesc", convolution}, {names.x, x}, {names.w, w}, {names.y, y}})) {
    return false;
  }
  refusal.remark(exchanged(arguments));
  int expected[CUDNN_DIM_MAX] = {};
  if (!output_sizes(refusal, *convolution, {names.x, *x, names.w, *w}, expected)) return false;
  if (refusal.never_set(names.y, *y) || are_unequal_groups(refusal, arguments) ||
      has_other_sizes(refusal, arguments, expected) || is_of_other_types(refusal, arguments)) {
    return false;
  }
  const int dims = convolution->dims;
  result.images = x->size[0];
  result.groups = convolution->groups;
  result.channels = w->size[1];
  result.filters = w->size[0] / convolution->groups;
  spread(x->size + 2, dims, 1, result.in);
  spread(y->size + 2, dims, 1, result.out);
  spread(w->size + 2, dims, 1, result.window);
  spread(convolution->pad, dims, 0, result.pad);
  spread(convolution->stride, dims, 1, result.stride);
  spread(convolution->dilation, dims, 1, result.dilation);
  result.space_dims = dims;
  result.flipped = convolution->mode == CUDNN_CONVOLUTION;
  result.x_tensor = *x;
  result.w_tensor = as_tensor(*w);
  result.y_tensor = *y;
  result.x = distances_of(result.x_tensor);
  result.w = distances_of(result.w_tensor);
  result.y = distances_of(result.y_tensor);
  return true;
}

PassTensors tensors_of(Pass pass, const Convolution& conv) {
  switch (pass) {
    case Pass::data:
      return {conv.w_tensor, conv.y_tensor, conv.x_tensor};
    case Pass::filter:
      return {conv.x_tensor, conv.y_tensor, conv.w_tensor};
    default:
      return {conv.x_tensor, conv.w_tensor, conv.y_tensor};
  }
}

}  // namespace convkit::simt::dnn

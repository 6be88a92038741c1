// SPDX-License-Identifier: MIT
// Walks through the elements of a tensor.
#pragma once

#include "cpu_device/dnn/descriptors.h"

namespace convkit::simt::dnn {

// Calls visit(position, place) for each element; `position` has an index for each dimension.
template <class Visit>
void for_each_place(const cudnnTensorStruct& tensor, const Visit& visit) {
  int position[CUDNN_DIM_MAX] = {};
  int64_t place = 0;
  for (;;) {
    visit(position, place);
    int axis = tensor.dims - 1;
    for (; axis >= 0; --axis) {
      place += tensor.stride[axis];
      if (++position[axis] < tensor.size[axis]) break;
      place -= int64_t{tensor.size[axis]} * tensor.stride[axis];
      position[axis] = 0;
    }
    if (axis < 0) return;
  }
}

inline int64_t place_of(const cudnnTensorStruct& tensor, const int* position) {
  int64_t place = 0;
  for (int axis = 0; axis < tensor.dims; ++axis) {
    place += int64_t{position[axis]} * tensor.stride[axis];
  }
  return place;
}

// Whether each size is that of the other tensor, or 1.
inline bool can_spread(const cudnnTensorStruct& tensor, const cudnnTensorStruct& over) {
  for (int axis = 0; axis < over.dims; ++axis) {
    if (tensor.size[axis] != over.size[axis] && tensor.size[axis] != 1) return false;
  }
  return tensor.dims == over.dims;
}

// The same memory with distance 0 along the axes of size 1: for the places of a larger tensor.
inline cudnnTensorStruct spread_over(cudnnTensorStruct tensor) {
  for (int axis = 0; axis < tensor.dims; ++axis) {
    if (tensor.size[axis] == 1) tensor.stride[axis] = 0;
  }
  return tensor;
}

// The tensor has a group of elements for each place of `groups`; `members` are those of one.
struct Grouping {
  cudnnTensorStruct groups, members;
};

// is_inside(axis): a group has all elements along the axis.
template <class IsInside>
Grouping grouped(const cudnnTensorStruct& tensor, const IsInside& is_inside) {
  Grouping result{tensor, tensor};
  for (int axis = 0; axis < tensor.dims; ++axis) {
    (is_inside(axis) ? result.groups : result.members).size[axis] = 1;
  }
  return result;
}

}  // namespace convkit::simt::dnn

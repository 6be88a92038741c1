// SPDX-License-Identifier: MIT
// Poolings. A gradient of a maximum goes to its first place in the window.
#include <algorithm>
#include <cmath>
#include <vector>

#include "simt/dnn/arguments.h"
#include "simt/dnn/places.h"

namespace convkit::simt::dnn {
namespace {

bool is_maximum(const cudnnPoolingStruct& pooling) {
  return pooling.mode == CUDNN_POOLING_MAX || pooling.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

// The part of x under the window of a result: a tensor without image and channel axes.
struct Window {
  cudnnTensorStruct inside;
  int64_t first = 0;  // place of its first element in x
  int elements = 1;   // with those in the padding
};

Window window_at(const cudnnPoolingStruct& pooling, const cudnnTensorStruct& x,
                 const int* position) {
  Window window;
  window.inside.dims = pooling.dims;
  window.first = int64_t{position[0]} * x.stride[0] + int64_t{position[1]} * x.stride[1];
  for (int axis = 0; axis < pooling.dims; ++axis) {
    const int start = position[axis + 2] * pooling.stride[axis] - pooling.pad[axis];
    const int begin = std::max(start, 0);
    const int end = std::min(start + pooling.window[axis], x.size[axis + 2]);
    window.inside.size[axis] = std::max(end - begin, 0);
    window.inside.stride[axis] = x.stride[axis + 2];
    window.first += int64_t{begin} * x.stride[axis + 2];
    window.elements *= pooling.window[axis];
  }
  return window;
}

bool is_empty(const Window& window) {
  const int* size = window.inside.size;
  return std::any_of(size, size + window.inside.dims, [](int each) { return each == 0; });
}

int64_t count(const Window& window) {
  int64_t result = 1;
  for (int axis = 0; axis < window.inside.dims; ++axis) result *= window.inside.size[axis];
  return result;
}

// What an average divides by.
float divisor(const cudnnPoolingStruct& pooling, const Window& window) {
  const bool with_padding = pooling.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
  return static_cast<float>(with_padding ? window.elements : count(window));
}

// The place of the first maximum in x. A NaN is one only where it is to be handed on.
int64_t place_of_maximum(const cudnnPoolingStruct& pooling, const Window& window, const float* x) {
  int64_t best = window.first;
  for_each_place(window.inside, [&](const int*, int64_t place) {
    const float candidate = x[window.first + place], known = x[best];
    const bool better =
        std::isnan(candidate)
            ? pooling.nan == CUDNN_PROPAGATE_NAN && !std::isnan(known)
            : candidate > known || (std::isnan(known) && pooling.nan == CUDNN_NOT_PROPAGATE_NAN);
    if (better) best = window.first + place;
  });
  return best;
}

float pooled(const cudnnPoolingStruct& pooling, const Window& window, const float* x) {
  if (is_maximum(pooling)) return x[place_of_maximum(pooling, window, x)];
  float sum = 0;
  for_each_place(window.inside, [&](const int*, int64_t place) { sum += x[window.first + place]; });
  return sum / divisor(pooling, window);
}

cudnnStatus_t judge(cudnnPoolingDescriptor_t pooling, cudnnTensorDescriptor_t x,
                    cudnnTensorDescriptor_t y) {
  if (!pooling || !x || !y) return CUDNN_STATUS_BAD_PARAM;
  int size[CUDNN_DIM_MAX];
  const cudnnStatus_t status = cudnnGetPoolingNdForwardOutputDim(pooling, x, x->dims, size);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (y->dims != x->dims || !std::equal(size, size + y->dims, y->size) || x->type != y->type) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  // A window that lies in the padding alone has no value.
  for (int axis = 0; axis < pooling->dims; ++axis) {
    if (pooling->pad[axis] >= pooling->window[axis] || pooling->pad[axis] < 0) {
      return CUDNN_STATUS_NOT_SUPPORTED;
    }
  }
  const bool space = pooling->dims == 2 || pooling->dims == 3;
  return x->type == CUDNN_DATA_FLOAT && space ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

// dx in an order of its own: a result that overlapping windows add to.
std::vector<float> gradient(const cudnnPoolingStruct& pooling, const cudnnTensorStruct& x_tensor,
                            const float* x, const cudnnTensorStruct& dy_tensor, const float* dy) {
  std::vector<float> sums(static_cast<size_t>(extent(x_tensor)));
  for_each_place(dy_tensor, [&](const int* position, int64_t place) {
    const Window window = window_at(pooling, x_tensor, position);
    if (is_empty(window)) return;
    if (is_maximum(pooling)) {
      sums[static_cast<size_t>(place_of_maximum(pooling, window, x))] += dy[place];
      return;
    }
    const float share = dy[place] / divisor(pooling, window);
    for_each_place(window.inside, [&](const int*, int64_t inside) {
      sums[static_cast<size_t>(window.first + inside)] += share;
    });
  });
  return sums;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc,
                                  const void* alpha, const cudnnTensorDescriptor_t xDesc,
                                  const void* x, const void* beta,
                                  const cudnnTensorDescriptor_t yDesc, void* y) {
  if (!is_alive(handle) || !alpha || !x || !beta || !y) return CUDNN_STATUS_BAD_PARAM;
  const cudnnStatus_t status = judge(poolingDesc, xDesc, yDesc);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const auto call = convkit::simt::library_call("cudnnPoolingForward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=, from = *xDesc, to = *yDesc, pooling = *poolingDesc] {
    if (!may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "y", y, to, result_use(factors.beta))) {
      return;
    }
    for_each_place(to, [&](const int* position, int64_t place) {
      const Window window = window_at(pooling, from, position);
      blend(factors.alpha, pooled(pooling, window, static_cast<const float*>(x)), factors.beta,
            static_cast<float*>(y)[place]);
    });
  });
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc,
                                   const void* alpha, const cudnnTensorDescriptor_t yDesc,
                                   const void* y, const cudnnTensorDescriptor_t dyDesc,
                                   const void* dy, const cudnnTensorDescriptor_t xDesc,
                                   const void* x, const void* beta,
                                   const cudnnTensorDescriptor_t dxDesc, void* dx) {
  if (!is_alive(handle) || !alpha || !y || !dy || !x || !beta || !dx || !dyDesc || !dxDesc) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const cudnnStatus_t status = judge(poolingDesc, xDesc, yDesc);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (!same_sizes(*yDesc, *dyDesc) || !same_sizes(*xDesc, *dxDesc) || dyDesc->type != xDesc->type ||
      dxDesc->type != xDesc->type) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const auto call = convkit::simt::library_call("cudnnPoolingBackward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=, from = *xDesc, result = *yDesc, above = *dyDesc, to = *dxDesc,
                             pooling = *poolingDesc] {
    if (!may_use(call, "y", y, result, Use::read) || !may_use(call, "dy", dy, above, Use::read) ||
        !may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "dx", dx, to, result_use(factors.beta))) {
      return;
    }
    const std::vector<float> sums =
        gradient(pooling, from, static_cast<const float*>(x), above, static_cast<const float*>(dy));
    for_each_place(from, [&](const int* position, int64_t place) {
      blend(factors.alpha, sums[static_cast<size_t>(place)], factors.beta,
            static_cast<float*>(dx)[place_of(to, position)]);
    });
  });
}

}  // extern "C"

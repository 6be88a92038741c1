// SPDX-License-Identifier: MIT
// Poolings. A gradient of a maximum goes to its first place in the window.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "simt/dnn/convolution.h"
#include "simt/dnn/float_copies.h"
#include "simt/dnn/rows.h"

namespace convkit::simt::dnn {
namespace {

bool is_maximum(const cudnnPoolingStruct& pooling) {
  return pooling.mode == CUDNN_POOLING_MAX || pooling.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

// A plane of x or y, two dimensions being the last two of three.
struct Plane {
  int size[kSpace] = {1, 1, 1};
  int64_t step[kSpace] = {};
};

Plane plane_of(const cudnnTensorStruct& tensor) {
  Plane plane;
  for (int axis = 2; axis < tensor.dims; ++axis) {
    const int to = axis - tensor.dims + kSpace;
    plane.size[to] = tensor.size[axis];
    plane.step[to] = tensor.stride[axis];
  }
  return plane;
}

// The part of x under the window of a result.
struct Window {
  int begin[kSpace], end[kSpace];
  int elements = 1;  // with those in the padding

  int inside() const { return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]); }
};

// What goes from an axis of the result to one of x.
struct Reach {
  int window[kSpace] = {1, 1, 1}, pad[kSpace] = {}, stride[kSpace] = {1, 1, 1};
};

Reach reach_of(const cudnnPoolingStruct& pooling) {
  Reach reach;
  for (int axis = 0; axis < pooling.dims; ++axis) {
    const int to = axis - pooling.dims + kSpace;
    reach.window[to] = pooling.window[axis];
    reach.pad[to] = pooling.pad[axis];
    reach.stride[to] = pooling.stride[axis];
  }
  return reach;
}

void place(const Reach& reach, const Plane& x, int axis, int at, Window& window) {
  const int start = at * reach.stride[axis] - reach.pad[axis];
  window.begin[axis] = std::clamp(start, 0, x.size[axis]);
  window.end[axis] = std::clamp(start + reach.window[axis], window.begin[axis], x.size[axis]);
}

// visit(window, place in the plane of y) for all of a plane.
template <class Visit>
void for_each_window(const cudnnPoolingStruct& pooling, const Plane& x, const Plane& y,
                     const Visit& visit) {
  const Reach reach = reach_of(pooling);
  Window window{};
  window.elements = reach.window[0] * reach.window[1] * reach.window[2];
  for (int d = 0; d < y.size[0]; ++d) {
    place(reach, x, 0, d, window);
    for (int h = 0; h < y.size[1]; ++h) {
      place(reach, x, 1, h, window);
      for (int w = 0; w < y.size[2]; ++w) {
        place(reach, x, 2, w, window);
        visit(window, d * y.step[0] + h * y.step[1] + w * y.step[2]);
      }
    }
  }
}

template <class Visit>
void for_each_inside(const Window& window, const Plane& x, const Visit& visit) {
  for (int d = window.begin[0]; d < window.end[0]; ++d) {
    for (int h = window.begin[1]; h < window.end[1]; ++h) {
      const int64_t row = d * x.step[0] + h * x.step[1];
      for (int w = window.begin[2]; w < window.end[2]; ++w) visit(row + w * x.step[2]);
    }
  }
}

// What an average divides by.
float divisor(const cudnnPoolingStruct& pooling, const Window& window) {
  const bool with_padding = pooling.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
  return static_cast<float>(with_padding ? window.elements : window.inside());
}

// The place of the first maximum in x. A NaN is one only where it is to be handed on.
int64_t place_of_maximum(const cudnnPoolingStruct& pooling, const Window& window, const Plane& x,
                         const float* values) {
  int64_t best = -1;
  for_each_inside(window, x, [&](int64_t at) {
    const float candidate = values[at];
    if (best < 0 || candidate > values[best]) {
      best = at;
    } else if (std::isnan(candidate)) {
      if (pooling.nan == CUDNN_PROPAGATE_NAN && !std::isnan(values[best])) best = at;
    } else if (std::isnan(values[best]) && pooling.nan == CUDNN_NOT_PROPAGATE_NAN) {
      best = at;
    }
  });
  return best;
}

// Nobody says what a window without an element has: here it is a NaN, which is seen.
float pooled(const cudnnPoolingStruct& pooling, const Window& window, const Plane& x,
             const float* values) {
  if (window.inside() == 0) return std::numeric_limits<float>::quiet_NaN();
  if (is_maximum(pooling)) return values[place_of_maximum(pooling, window, x, values)];
  float sum = 0;
  for_each_inside(window, x, [&](int64_t at) { sum += values[at]; });
  return sum / divisor(pooling, window);
}

// visit(place in the one tensor, place in the other) for each plane.
template <class Visit>
void for_each_plane(const cudnnTensorStruct& one, const cudnnTensorStruct& other,
                    const Visit& visit) {
  for (int n = 0; n < one.size[0]; ++n) {
    for (int c = 0; c < one.size[1]; ++c) {
      visit(int64_t{n} * one.stride[0] + int64_t{c} * one.stride[1],
            int64_t{n} * other.stride[0] + int64_t{c} * other.stride[1]);
    }
  }
}

cudnnStatus_t judge(cudnnPoolingDescriptor_t pooling, cudnnTensorDescriptor_t x,
                    cudnnTensorDescriptor_t y) {
  if (!pooling || !x || !y) return CUDNN_STATUS_BAD_PARAM;
  int size[CUDNN_DIM_MAX];
  const cudnnStatus_t status = cudnnGetPoolingNdForwardOutputDim(pooling, x, x->dims, size);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  // cuDNN does not look at the other sizes of the result.
  if (y->dims != x->dims || !std::equal(size, size + 2, y->size) || x->type != y->type) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  // A window that lies in the padding alone has no value.
  for (int axis = 0; axis < pooling->dims; ++axis) {
    if (pooling->pad[axis] >= pooling->window[axis] || pooling->pad[axis] < 0) {
      return CUDNN_STATUS_NOT_SUPPORTED;
    }
  }
  const bool space = pooling->dims == 2 || pooling->dims == 3;
  return is_computed(*x) && is_computed(*y) && space ? CUDNN_STATUS_SUCCESS
                                                     : CUDNN_STATUS_NOT_SUPPORTED;
}

// dx of a plane, in the places of x: a result that overlapping windows add to.
void add_gradient(const cudnnPoolingStruct& pooling, const Plane& x, const float* values,
                  const Plane& dy, const float* above, float* sums) {
  for_each_window(pooling, x, dy, [&](const Window& window, int64_t at) {
    if (window.inside() == 0) return;
    if (is_maximum(pooling)) {
      sums[place_of_maximum(pooling, window, x, values)] += above[at];
      return;
    }
    const float share = above[at] / divisor(pooling, window);
    for_each_inside(window, x, [&](int64_t inside) { sums[inside] += share; });
  });
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
    const FloatInput input(x, from);
    FloatResult result(y, to, factors.beta != 0);
    const Plane in = plane_of(from), out = plane_of(to);
    for_each_plane(from, to, [&](int64_t of_x, int64_t of_y) {
      for_each_window(pooling, in, out, [&](const Window& window, int64_t at) {
        blend(factors.alpha, pooled(pooling, window, in, input.data() + of_x), factors.beta,
              result.data()[of_y + at]);
      });
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
  if (!is_computed(*dyDesc) || !is_computed(*dxDesc)) return CUDNN_STATUS_NOT_SUPPORTED;
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
    const FloatInput input(x, from), gradient(dy, above);
    FloatResult results(dx, to, factors.beta != 0);
    const Plane in = plane_of(from), out = plane_of(above);
    std::vector<float> sums(static_cast<size_t>(extent(from)));
    for_each_plane(from, above, [&](int64_t of_x, int64_t of_dy) {
      add_gradient(pooling, in, input.data() + of_x, out, gradient.data() + of_dy,
                   sums.data() + of_x);
    });
    blend_rows(rows_of(to, from), factors, results.data(),
               [&](const auto& at) { return sums[static_cast<size_t>(at[1])]; });
  });
}

}  // extern "C"

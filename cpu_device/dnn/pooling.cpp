// SPDX-License-Identifier: MIT
// Poolings. A gradient of a maximum goes to its first place in the window.
#include "cpu_device/dnn/pooling.h"

#include <algorithm>

#include "cpu_device/dnn/arguments.h"
#include "cpu_device/dnn/float_copies.h"

namespace convkit::simt::dnn {
namespace {

int64_t plane_place(const cudnnTensorStruct& tensor, int n, int c) {
  return int64_t{n} * tensor.stride[0] + int64_t{c} * tensor.stride[1];
}

// visit(n, c) for each plane.
template <class Visit>
void for_each_plane(const cudnnTensorStruct& tensor, const Visit& visit) {
  for (int n = 0; n < tensor.size[0]; ++n) {
    for (int c = 0; c < tensor.size[1]; ++c) visit(n, c);
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
  // A window that is entirely in the padding has no value.
  for (int axis = 0; axis < pooling->dims; ++axis) {
    if (pooling->pad[axis] >= pooling->window[axis] || pooling->pad[axis] < 0) {
      return CUDNN_STATUS_NOT_SUPPORTED;
    }
  }
  const bool space = pooling->dims == 2 || pooling->dims == 3;
  return is_computed(*x) && is_computed(*y) && space ? CUDNN_STATUS_SUCCESS
                                                     : CUDNN_STATUS_NOT_SUPPORTED;
}

void blend_row(const float* values, int count, Factors factors, float* result, int64_t step) {
  for (int i = 0; i < count; ++i) blend(factors.alpha, values[i], factors.beta, result[i * step]);
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
    expect_apart(call, {"y", y, to}, {{"x", x, from}});
    const FloatInput input(x, from);
    FloatResult result(y, to, factors.beta != 0);
    const Plane out = plane_of(to);
    PlanePooling plane(pooling, plane_of(from), out);
    for_each_plane(from, [&](int n, int c) {
      float* of_y = result.data() + plane_place(to, n, c);
      plane.forward(input.data() + plane_place(from, n, c), [&](int d, int h, const float* values) {
        blend_row(values, out.size[2], factors, of_y + out.place(d, h), out.step[2]);
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
    const Plane in = plane_of(from), of_dy = plane_of(above), out = plane_of(to);
    PlanePooling plane(pooling, in, of_dy);
    for_each_plane(from, [&](int n, int c) {
      const float* sums = plane
                              .backward(input.data() + plane_place(from, n, c),
                                        gradient.data() + plane_place(above, n, c), of_dy)
                              .data();
      float* of_dx = results.data() + plane_place(to, n, c);
      for (int d = 0; d < in.size[0]; ++d) {
        for (int h = 0; h < in.size[1]; ++h, sums += in.size[2]) {
          blend_row(sums, in.size[2], factors, of_dx + out.place(d, h), out.step[2]);
        }
      }
    });
  });
}

}  // extern "C"

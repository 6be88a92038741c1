// SPDX-License-Identifier: MIT
// Poolings. A gradient of a maximum goes to its first place in the window.
#include "cpu_device/dnn/pooling.h"

#include <algorithm>

#include "cpu_device/dnn/arguments.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/refusal.h"

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

bool is_refused(Refusal& refusal, cudnnPoolingDescriptor_t pooling, cudnnTensorDescriptor_t x,
                cudnnTensorDescriptor_t y) {
  int size[CUDNN_DIM_MAX] = {};
  if (refusal.null({{"poolingDesc", pooling}, {"xDesc", x}, {"yDesc", y}}) ||
      !output_sizes(refusal, *pooling, "xDesc", *x, size) || refusal.never_set("yDesc", *y)) {
    return true;
  }
  // cuDNN does not look at the other sizes of the result.
  if (y->dims != x->dims || !std::equal(size, size + 2, y->size)) {
    return refusal.bad_param(said("yDesc is ", sizes_text(*y), "; this pooling of xDesc, ",
                                  sizes_text(*x), ", gives ", sizes_text(x->dims, size)));
  }
  if (refusal.types_differ("xDesc", x->type, "yDesc", y->type)) return true;
  // A window that is entirely in the padding has no value.
  for (int axis = 0; axis < pooling->dims; ++axis) {
    const int pad = pooling->pad[axis], window = pooling->window[axis];
    if (pad >= 0 && pad < window) continue;
    return refusal.not_supported(said("poolingDesc has a padding of ", pad, " and a window of ",
                                      window, "; a padding must be smaller than the window, and ",
                                      "not negative"));
  }
  return refusal.not_computed("xDesc", *x) || refusal.not_computed("yDesc", *y) ||
         (pooling->dims != 2 && pooling->dims != 3 &&
          refusal.not_supported(said("poolingDesc has ", pooling->dims,
                                     " dimensions; the CPU device computes those of 2 and 3")));
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
  Refusal refusal("cudnnPoolingForward");
  if (refusal.no_handle(handle) ||
      refusal.null({{"alpha", alpha}, {"x", x}, {"beta", beta}, {"y", y}}) ||
      is_refused(refusal, poolingDesc, xDesc, yDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnPoolingForward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *xDesc, to = *yDesc, pooling = *poolingDesc] {
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
  Refusal refusal("cudnnPoolingBackward");
  if (refusal.no_handle(handle) ||
      refusal.null({{"alpha", alpha},
                    {"y", y},
                    {"dyDesc", dyDesc},
                    {"dy", dy},
                    {"x", x},
                    {"beta", beta},
                    {"dxDesc", dxDesc},
                    {"dx", dx}}) ||
      is_refused(refusal, poolingDesc, xDesc, yDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "dyDesc", *dyDesc) ||
      refusal.sizes_differ("xDesc", *xDesc, "dxDesc", *dxDesc) ||
      refusal.types_differ("xDesc", xDesc->type, "dyDesc", dyDesc->type) ||
      refusal.types_differ("xDesc", xDesc->type, "dxDesc", dxDesc->type) ||
      refusal.not_computed("dyDesc", *dyDesc) || refusal.not_computed("dxDesc", *dxDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnPoolingBackward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(
      call, handle,
      [=, from = *xDesc, result = *yDesc, above = *dyDesc, to = *dxDesc, pooling = *poolingDesc] {
        if (!may_use(call, "y", y, result, Use::read) ||
            !may_use(call, "dy", dy, above, Use::read) || !may_use(call, "x", x, from, Use::read) ||
            !may_use(call, "dx", dx, to, result_use(factors.beta))) {
          return;
        }
        expect_apart(call, {"dx", dx, to}, {{"y", y, result}, {"dy", dy, above}, {"x", x, from}});
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

// SPDX-License-Identifier: MIT
// Softmax, over the channels of each place or over everything of each instance. Sums are doubles.
#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu_device/dnn/arguments.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/refusal.h"

namespace convkit::simt::dnn {
namespace {

bool is_summed(cudnnSoftmaxMode_t mode, int axis) {
  return mode == CUDNN_SOFTMAX_MODE_CHANNEL ? axis == 1 : axis != 0;
}

Grouping grouping(const cudnnTensorStruct& tensor, cudnnSoftmaxMode_t mode) {
  return grouped(tensor, [=](int axis) { return is_summed(mode, axis); });
}

void load(const float* group, const cudnnTensorStruct& members, std::vector<float>& values) {
  values.clear();
  for_each_place(members, [&](const int*, int64_t place) { values.push_back(group[place]); });
}

void store(const std::vector<float>& values, Factors factors, const cudnnTensorStruct& members,
           float* group) {
  const float* next = values.data();
  for_each_place(members, [&](const int*, int64_t place) {
    blend(factors.alpha, *next++, factors.beta, group[place]);
  });
}

void forward(cudnnSoftmaxAlgorithm_t algorithm, std::vector<float>& values) {
  const float most =
      algorithm == CUDNN_SOFTMAX_FAST ? 0.0f : *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const float each : values) sum += std::exp(each - most);
  for (float& each : values) {
    each = algorithm == CUDNN_SOFTMAX_LOG ? each - most - static_cast<float>(std::log(sum))
                                          : static_cast<float>(std::exp(each - most) / sum);
  }
}

// `gradient` is that of the result, and becomes that of what it was made of.
void backward(cudnnSoftmaxAlgorithm_t algorithm, const std::vector<float>& result,
              std::vector<float>& gradient) {
  const bool log = algorithm == CUDNN_SOFTMAX_LOG;
  double sum = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    sum += log ? double{gradient[i]} : double{gradient[i]} * result[i];
  }
  const auto total = static_cast<float>(sum);
  for (size_t i = 0; i < result.size(); ++i) {
    gradient[i] =
        log ? gradient[i] - std::exp(result[i]) * total : result[i] * (gradient[i] - total);
  }
}

bool is_unknown(Refusal& refusal, cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode) {
  return ((algorithm < CUDNN_SOFTMAX_FAST || algorithm > CUDNN_SOFTMAX_LOG) &&
          refusal.wrong_number("algo", algorithm, "it must be a cudnnSoftmaxAlgorithm_t")) ||
         (mode != CUDNN_SOFTMAX_MODE_INSTANCE && mode != CUDNN_SOFTMAX_MODE_CHANNEL &&
          refusal.wrong_number("mode", mode, "it must be a cudnnSoftmaxMode_t"));
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                                  cudnnSoftmaxMode_t mode, const void* alpha,
                                  const cudnnTensorDescriptor_t xDesc, const void* x,
                                  const void* beta, const cudnnTensorDescriptor_t yDesc, void* y) {
  Refusal refusal("cudnnSoftmaxForward");
  if (refusal.no_handle(handle) ||
      refusal.null({{"alpha", alpha},
                    {"xDesc", xDesc},
                    {"x", x},
                    {"beta", beta},
                    {"yDesc", yDesc},
                    {"y", y}}) ||
      is_unknown(refusal, algo, mode) || refusal.never_set("xDesc", *xDesc) ||
      refusal.sizes_differ("xDesc", *xDesc, "yDesc", *yDesc) ||
      refusal.types_differ("xDesc", xDesc->type, "yDesc", yDesc->type) ||
      refusal.not_computed("xDesc", *xDesc) || refusal.not_computed("yDesc", *yDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnSoftmaxForward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *xDesc, to = *yDesc] {
    if (!may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "y", y, to, result_use(factors.beta))) {
      return;
    }
    const Grouping input = grouping(from, mode), output = grouping(to, mode);
    const FloatInput given(x, from);
    FloatResult result(y, to, factors.beta != 0);
    std::vector<float> values;
    for_each_place(input.groups, [&](const int* position, int64_t place) {
      load(given.data() + place, input.members, values);
      forward(algo, values);
      store(values, factors, output.members, result.data() + place_of(to, position));
    });
  });
}

cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                                   cudnnSoftmaxMode_t mode, const void* alpha,
                                   const cudnnTensorDescriptor_t yDesc, const void* y,
                                   const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                   const void* beta, const cudnnTensorDescriptor_t dxDesc,
                                   void* dx) {
  Refusal refusal("cudnnSoftmaxBackward");
  if (refusal.no_handle(handle) ||
      refusal.null({{"alpha", alpha},
                    {"yDesc", yDesc},
                    {"y", y},
                    {"dyDesc", dyDesc},
                    {"dy", dy},
                    {"beta", beta},
                    {"dxDesc", dxDesc},
                    {"dx", dx}}) ||
      is_unknown(refusal, algo, mode) || refusal.never_set("yDesc", *yDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "dyDesc", *dyDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "dxDesc", *dxDesc) ||
      refusal.types_differ("yDesc", yDesc->type, "dyDesc", dyDesc->type) ||
      refusal.types_differ("yDesc", yDesc->type, "dxDesc", dxDesc->type) ||
      refusal.not_computed("yDesc", *yDesc) || refusal.not_computed("dyDesc", *dyDesc) ||
      refusal.not_computed("dxDesc", *dxDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnSoftmaxBackward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, result = *yDesc, gradient = *dyDesc, to = *dxDesc] {
    if (!may_use(call, "y", y, result, Use::read) ||
        !may_use(call, "dy", dy, gradient, Use::read) ||
        !may_use(call, "dx", dx, to, result_use(factors.beta))) {
      return;
    }
    const Grouping of_result = grouping(result, mode), of_gradient = grouping(gradient, mode),
                   output = grouping(to, mode);
    const FloatInput given(y, result), above(dy, gradient);
    FloatResult results(dx, to, factors.beta != 0);
    std::vector<float> values, gradients;
    for_each_place(of_result.groups, [&](const int* position, int64_t place) {
      load(given.data() + place, of_result.members, values);
      load(above.data() + place_of(gradient, position), of_gradient.members, gradients);
      backward(algo, values, gradients);
      store(gradients, factors, output.members, results.data() + place_of(to, position));
    });
  });
}

}  // extern "C"

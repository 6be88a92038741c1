// SPDX-License-Identifier: MIT
// Batch normalisation forward. Means and variances are summed as doubles.
#include "cpu_device/dnn/batch_norm.h"

#include <cmath>
#include <utility>

namespace convkit::simt::dnn {

bool is_no_mode(Refusal& refusal, cudnnBatchNormMode_t mode) {
  const bool known =
      mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
  return !known && refusal.wrong_number("mode", mode, "it must be a cudnnBatchNormMode_t");
}

bool is_no_picture(Refusal& refusal, const cudnnTensorStruct& x) {
  return refusal.never_set("xDesc", x) ||
         ((x.dims < 4 || x.dims > 5) &&
          refusal.bad_param(said("xDesc has ", x.dims, " dimensions; it must have 4 or 5")));
}

bool is_too_small(Refusal& refusal, double epsilon) {
  return epsilon < CUDNN_BN_MIN_EPSILON &&
         refusal.bad_param(said("epsilon is ", epsilon, "; it must be at least ",
                                CUDNN_BN_MIN_EPSILON, " (CUDNN_BN_MIN_EPSILON)"));
}

bool only_one(Refusal& refusal, NamedPointer one, NamedPointer other) {
  if (!one.pointer == !other.pointer) return false;
  const auto& [missing, given] = one.pointer ? std::pair(other, one) : std::pair(one, other);
  return refusal.bad_param(said(missing.argument, " is null and ", given.argument,
                                " is not; both are given or neither"));
}

Grouping grouping(const cudnnTensorStruct& tensor, cudnnBatchNormMode_t mode) {
  return grouped(tensor, [=](int axis) {
    return mode == CUDNN_BATCHNORM_PER_ACTIVATION ? axis == 0 : axis != 1;
  });
}

bool parameters_misfit(Refusal& refusal, const char* argument, const cudnnTensorStruct& parameters,
                       const cudnnTensorStruct& x, cudnnBatchNormMode_t mode) {
  // Parameters of halves are floats.
  const cudnnDataType_t type = x.type == CUDNN_DATA_HALF ? CUDNN_DATA_FLOAT : x.type;
  if (parameters.type != type) {
    return refusal.bad_param(said(argument, " has the type ", type_text(parameters.type),
                                  "; for xDesc of ", type_text(x.type), " it must have ",
                                  type_text(type)));
  }
  const cudnnTensorStruct wanted = grouping(x, mode).groups;
  return !same_sizes(parameters, wanted) &&
         (refusal.never_set(argument, parameters) ||
          refusal.bad_param(said(argument, " is ", sizes_text(parameters), "; for xDesc of ",
                                 sizes_text(x), " and this mode it must be ", sizes_text(wanted))));
}

Moments moments_of(const float* group, const cudnnTensorStruct& members) {
  const auto elements = static_cast<double>(count(members));
  Moments moments;
  moments.mean = sum_of(rows_of(members), [&](const auto& at) { return double{group[at[0]]}; });
  moments.mean /= elements;
  moments.variance = sum_of(rows_of(members), [&](const auto& at) {
    const double distance = group[at[0]] - moments.mean;
    return distance * distance;
  });
  moments.variance /= elements;
  return moments;
}

namespace {

bool is_refused(Refusal& refusal, cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y,
                cudnnTensorDescriptor_t parameters, double epsilon) {
  constexpr const char* kParameters = "bnScaleBiasMeanVarDesc";
  return refusal.no_handle(handle) || is_no_mode(refusal, mode) ||
         refusal.null({{"xDesc", x}, {"yDesc", y}, {kParameters, parameters}}) ||
         is_no_picture(refusal, *x) || refusal.sizes_differ("xDesc", *x, "yDesc", *y) ||
         refusal.types_differ("xDesc", x->type, "yDesc", y->type) ||
         parameters_misfit(refusal, kParameters, *parameters, *x, mode) ||
         is_too_small(refusal, epsilon) || refusal.not_computed("xDesc", *x) ||
         refusal.not_computed("yDesc", *y) || refusal.not_computed(kParameters, *parameters);
}

// One group of y: alpha * (x * slope + offset) + beta * y.
struct Line {
  float slope, offset;
};

void apply(const Line& line, Factors factors, const float* x, const cudnnTensorStruct& from,
           float* y, const cudnnTensorStruct& to) {
  blend_rows(rows_of(to, from), factors, y,
             [=](const auto& at) { return x[at[1]] * line.slope + line.offset; });
}

Line line_of(float scale, float bias, double mean, double inverse) {
  const double slope = scale * inverse;
  return {static_cast<float>(slope), static_cast<float>(bias - mean * slope)};
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derivedBnDesc,
                                            const cudnnTensorDescriptor_t xDesc,
                                            cudnnBatchNormMode_t mode) {
  Refusal refusal("cudnnDeriveBNTensorDescriptor");
  if (refusal.null({{"derivedBnDesc", derivedBnDesc}, {"xDesc", xDesc}}) ||
      is_no_mode(refusal, mode) || is_no_picture(refusal, *xDesc)) {
    return refusal.status();
  }
  const cudnnDataType_t type =
      xDesc->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  return cudnnSetTensorNdDescriptorEx(derivedBnDesc, CUDNN_TENSOR_NCHW, type, xDesc->dims,
                                      grouping(*xDesc, mode).groups.size);
}

// The running values become (1 - factor) of themselves and `factor` of this batch's; the variance
// among them is that of a sample.
cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const cudnnTensorDescriptor_t xDesc, const void* x, const cudnnTensorDescriptor_t yDesc,
    void* y, const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void* bnScale,
    const void* bnBias, double exponentialAverageFactor, void* resultRunningMean,
    void* resultRunningVariance, double epsilon, void* resultSaveMean,
    void* resultSaveInvVariance) {
  const bool keeps = resultRunningMean != nullptr, saves = resultSaveMean != nullptr;
  Refusal refusal("cudnnBatchNormalizationForwardTraining");
  if (is_refused(refusal, handle, mode, xDesc, yDesc, bnScaleBiasMeanVarDesc, epsilon) ||
      refusal.null({{"alpha", alpha},
                    {"beta", beta},
                    {"x", x},
                    {"y", y},
                    {"bnScale", bnScale},
                    {"bnBias", bnBias}}) ||
      only_one(refusal, {"resultRunningMean", resultRunningMean},
               {"resultRunningVariance", resultRunningVariance}) ||
      only_one(refusal, {"resultSaveMean", resultSaveMean},
               {"resultSaveInvVariance", resultSaveInvVariance})) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnBatchNormalizationForwardTraining");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *xDesc, to = *yDesc, shape = *bnScaleBiasMeanVarDesc] {
    const Use running = exponentialAverageFactor == 1 ? Use::write : Use::update;
    if (!may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "bnScale", bnScale, shape, Use::read) ||
        !may_use(call, "bnBias", bnBias, shape, Use::read) ||
        !may_use(call, "y", y, to, result_use(factors.beta)) ||
        (keeps &&
         (!may_use(call, "resultRunningMean", resultRunningMean, shape, running) ||
          !may_use(call, "resultRunningVariance", resultRunningVariance, shape, running))) ||
        (saves &&
         (!may_use(call, "resultSaveMean", resultSaveMean, shape, Use::write) ||
          !may_use(call, "resultSaveInvVariance", resultSaveInvVariance, shape, Use::write)))) {
      return;
    }
    const Grouping input = grouping(from, mode), output = grouping(to, mode);
    const FloatInput given(x, from);
    FloatResult result(y, to, factors.beta != 0);
    const auto elements = static_cast<double>(count(input.members));
    const double sample = elements > 1 ? elements / (elements - 1) : 1;
    const auto factor = static_cast<float>(exponentialAverageFactor);
    for_each_place(input.groups, [&](const int* position, int64_t place) {
      const float* group = given.data() + place;
      const int64_t at = place_of(shape, position);
      const auto [mean, variance] = moments_of(group, input.members);
      const double inverse = 1 / std::sqrt(variance + epsilon);
      apply(line_of(static_cast<const float*>(bnScale)[at], static_cast<const float*>(bnBias)[at],
                    mean, inverse),
            factors, group, input.members, result.data() + place_of(to, position), output.members);
      if (keeps) {
        blend(factor, static_cast<float>(mean), 1 - factor,
              static_cast<float*>(resultRunningMean)[at]);
        blend(factor, static_cast<float>(variance * sample), 1 - factor,
              static_cast<float*>(resultRunningVariance)[at]);
      }
      if (saves) {
        static_cast<float*>(resultSaveMean)[at] = static_cast<float>(mean);
        static_cast<float*>(resultSaveInvVariance)[at] = static_cast<float>(inverse);
      }
    });
  });
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const cudnnTensorDescriptor_t xDesc, const void* x, const cudnnTensorDescriptor_t yDesc,
    void* y, const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void* bnScale,
    const void* bnBias, const void* estimatedMean, const void* estimatedVariance, double epsilon) {
  Refusal refusal("cudnnBatchNormalizationForwardInference");
  if (is_refused(refusal, handle, mode, xDesc, yDesc, bnScaleBiasMeanVarDesc, epsilon) ||
      refusal.null({{"alpha", alpha},
                    {"beta", beta},
                    {"x", x},
                    {"y", y},
                    {"bnScale", bnScale},
                    {"bnBias", bnBias},
                    {"estimatedMean", estimatedMean},
                    {"estimatedVariance", estimatedVariance}})) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnBatchNormalizationForwardInference");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *xDesc, to = *yDesc, shape = *bnScaleBiasMeanVarDesc] {
    if (!may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "bnScale", bnScale, shape, Use::read) ||
        !may_use(call, "bnBias", bnBias, shape, Use::read) ||
        !may_use(call, "estimatedMean", estimatedMean, shape, Use::read) ||
        !may_use(call, "estimatedVariance", estimatedVariance, shape, Use::read) ||
        !may_use(call, "y", y, to, result_use(factors.beta))) {
      return;
    }
    const Grouping input = grouping(from, mode), output = grouping(to, mode);
    const FloatInput given(x, from);
    FloatResult result(y, to, factors.beta != 0);
    for_each_place(input.groups, [&](const int* position, int64_t place) {
      const int64_t at = place_of(shape, position);
      const double variance = static_cast<const float*>(estimatedVariance)[at];
      const Line line =
          line_of(static_cast<const float*>(bnScale)[at], static_cast<const float*>(bnBias)[at],
                  static_cast<const float*>(estimatedMean)[at], 1 / std::sqrt(variance + epsilon));
      apply(line, factors, given.data() + place, input.members,
            result.data() + place_of(to, position), output.members);
    });
  });
}

}  // extern "C"

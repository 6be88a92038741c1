// SPDX-License-Identifier: MIT
// Batch normalisation forward. Means and variances are summed as doubles.
#include "cpu_device/dnn/batch_norm.h"

#include <cmath>

namespace convkit::simt::dnn {

bool is_mode(cudnnBatchNormMode_t mode) {
  return mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
}

Grouping grouping(const cudnnTensorStruct& tensor, cudnnBatchNormMode_t mode) {
  return grouped(tensor, [=](int axis) {
    return mode == CUDNN_BATCHNORM_PER_ACTIVATION ? axis == 0 : axis != 1;
  });
}

bool fits(const cudnnTensorStruct& parameters, const cudnnTensorStruct& x,
          cudnnBatchNormMode_t mode) {
  // Parameters of halves are floats.
  const cudnnDataType_t type = x.type == CUDNN_DATA_HALF ? CUDNN_DATA_FLOAT : x.type;
  return parameters.type == type && same_sizes(parameters, grouping(x, mode).groups);
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

cudnnStatus_t judge(cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnTensorDescriptor_t x,
                    cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t parameters, double epsilon) {
  if (!is_alive(handle) || !is_mode(mode) || !x || !y || !parameters || x->dims < 4 ||
      x->dims > 5 || !same_sizes(*x, *y) || x->type != y->type || !fits(*parameters, *x, mode) ||
      epsilon < CUDNN_BN_MIN_EPSILON) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const bool computes = is_computed(*x) && is_computed(*y) && is_computed(*parameters);
  return computes ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
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
  if (!derivedBnDesc || !xDesc || !is_mode(mode) || xDesc->dims < 4 || xDesc->dims > 5) {
    return CUDNN_STATUS_BAD_PARAM;
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
  const cudnnStatus_t status = judge(handle, mode, xDesc, yDesc, bnScaleBiasMeanVarDesc, epsilon);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const bool keeps = resultRunningMean != nullptr, saves = resultSaveMean != nullptr;
  if (!alpha || !beta || !x || !y || !bnScale || !bnBias ||
      keeps != (resultRunningVariance != nullptr) || saves != (resultSaveInvVariance != nullptr)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const auto call = convkit::simt::library_call("cudnnBatchNormalizationForwardTraining");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=, from = *xDesc, to = *yDesc, shape = *bnScaleBiasMeanVarDesc] {
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
  const cudnnStatus_t status = judge(handle, mode, xDesc, yDesc, bnScaleBiasMeanVarDesc, epsilon);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (!alpha || !beta || !x || !y || !bnScale || !bnBias || !estimatedMean || !estimatedVariance) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const auto call = convkit::simt::library_call("cudnnBatchNormalizationForwardInference");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=, from = *xDesc, to = *yDesc, shape = *bnScaleBiasMeanVarDesc] {
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

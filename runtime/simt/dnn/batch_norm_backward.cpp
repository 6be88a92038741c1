// SPDX-License-Identifier: MIT
// Batch normalisation backward. Sums are doubles.
#include <cmath>

#include "simt/dnn/batch_norm.h"

using namespace convkit::simt::dnn;

// Without saved values, those of the batch are computed again.
extern "C" cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alphaDataDiff,
    const void* betaDataDiff, const void* alphaParamDiff, const void* betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void* x, const cudnnTensorDescriptor_t dyDesc,
    const void* dy, const cudnnTensorDescriptor_t dxDesc, void* dx,
    const cudnnTensorDescriptor_t dBnScaleBiasDesc, const void* bnScale, void* dBnScaleResult,
    void* dBnBiasResult, double epsilon, const void* savedMean, const void* savedInvVariance) {
  if (!is_alive(handle) || !is_mode(mode) || !alphaDataDiff || !betaDataDiff || !alphaParamDiff ||
      !betaParamDiff || !xDesc || !x || !dyDesc || !dy || !dxDesc || !dx || !dBnScaleBiasDesc ||
      !bnScale || !dBnScaleResult || !dBnBiasResult || xDesc->dims < 4 || xDesc->dims > 5 ||
      !same_sizes(*xDesc, *dyDesc) || !same_sizes(*xDesc, *dxDesc) || xDesc->type != dyDesc->type ||
      xDesc->type != dxDesc->type || !fits(*dBnScaleBiasDesc, *xDesc, mode) ||
      epsilon < CUDNN_BN_MIN_EPSILON || (savedMean != nullptr) != (savedInvVariance != nullptr)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (xDesc->type != CUDNN_DATA_FLOAT) return CUDNN_STATUS_NOT_SUPPORTED;
  const auto call = convkit::simt::library_call("cudnnBatchNormalizationBackward");
  Factors data, parameters;
  if (!take(call, alphaDataDiff, betaDataDiff, data) ||
      !take(call, alphaParamDiff, betaParamDiff, parameters)) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  return enqueue_on(handle, [=, from = *xDesc, above = *dyDesc, to = *dxDesc,
                             shape = *dBnScaleBiasDesc] {
    if (!may_use(call, "x", x, from, Use::read) || !may_use(call, "dy", dy, above, Use::read) ||
        !may_use(call, "bnScale", bnScale, shape, Use::read) ||
        (savedMean && (!may_use(call, "savedMean", savedMean, shape, Use::read) ||
                       !may_use(call, "savedInvVariance", savedInvVariance, shape, Use::read))) ||
        !may_use(call, "dx", dx, to, result_use(data.beta)) ||
        !may_use(call, "dBnScaleResult", dBnScaleResult, shape, result_use(parameters.beta)) ||
        !may_use(call, "dBnBiasResult", dBnBiasResult, shape, result_use(parameters.beta))) {
      return;
    }
    const Grouping input = grouping(from, mode);
    const auto elements = static_cast<double>(count(input.members));
    for_each_place(input.groups, [&](const int* position, int64_t place) {
      const float* x_group = static_cast<const float*>(x) + place;
      const float* dy_group = static_cast<const float*>(dy) + place_of(above, position);
      float* dx_group = static_cast<float*>(dx) + place_of(to, position);
      const int64_t at = place_of(shape, position);
      double mean = 0, inverse = 0;
      if (savedMean) {
        mean = static_cast<const float*>(savedMean)[at];
        inverse = static_cast<const float*>(savedInvVariance)[at];
      } else {
        const auto [own_mean, variance] = moments_of(x_group, input.members);
        mean = own_mean;
        inverse = 1 / std::sqrt(variance + epsilon);
      }
      double bias = 0, scale = 0;
      for_each_place(input.members, [&](const int* member, int64_t x_place) {
        const double gradient = dy_group[place_of(above, member)];
        bias += gradient;
        scale += gradient * (x_group[x_place] - mean) * inverse;
      });
      const double slope = static_cast<const float*>(bnScale)[at] * inverse;
      for_each_place(input.members, [&](const int* member, int64_t x_place) {
        const double normal = (x_group[x_place] - mean) * inverse;
        const double gradient = dy_group[place_of(above, member)];
        blend(data.alpha,
              static_cast<float>(slope * (gradient - (bias + normal * scale) / elements)),
              data.beta, dx_group[place_of(to, member)]);
      });
      blend(parameters.alpha, static_cast<float>(scale), parameters.beta,
            static_cast<float*>(dBnScaleResult)[at]);
      blend(parameters.alpha, static_cast<float>(bias), parameters.beta,
            static_cast<float*>(dBnBiasResult)[at]);
    });
  });
}

// SPDX-License-Identifier: MIT
// Batch normalisation backward. Sums are doubles.
#include <cmath>

#include "cpu_device/dnn/batch_norm.h"

using namespace convkit::simt::dnn;

// Without saved values, those of the batch are computed again.
extern "C" cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alphaDataDiff,
    const void* betaDataDiff, const void* alphaParamDiff, const void* betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void* x, const cudnnTensorDescriptor_t dyDesc,
    const void* dy, const cudnnTensorDescriptor_t dxDesc, void* dx,
    const cudnnTensorDescriptor_t dBnScaleBiasDesc, const void* bnScale, void* dBnScaleResult,
    void* dBnBiasResult, double epsilon, const void* savedMean, const void* savedInvVariance) {
  Refusal refusal("cudnnBatchNormalizationBackward");
  if (refusal.no_handle(handle) || is_no_mode(refusal, mode) ||
      refusal.null({{"alphaDataDiff", alphaDataDiff},
                    {"betaDataDiff", betaDataDiff},
                    {"alphaParamDiff", alphaParamDiff},
                    {"betaParamDiff", betaParamDiff},
                    {"xDesc", xDesc},
                    {"x", x},
                    {"dyDesc", dyDesc},
                    {"dy", dy},
                    {"dxDesc", dxDesc},
                    {"dx", dx},
                    {"dBnScaleBiasDesc", dBnScaleBiasDesc},
                    {"bnScale", bnScale},
                    {"dBnScaleResult", dBnScaleResult},
                    {"dBnBiasResult", dBnBiasResult}}) ||
      is_no_picture(refusal, *xDesc) || refusal.sizes_differ("xDesc", *xDesc, "dyDesc", *dyDesc) ||
      refusal.sizes_differ("xDesc", *xDesc, "dxDesc", *dxDesc) ||
      refusal.types_differ("xDesc", xDesc->type, "dyDesc", dyDesc->type) ||
      refusal.types_differ("xDesc", xDesc->type, "dxDesc", dxDesc->type) ||
      parameters_misfit(refusal, "dBnScaleBiasDesc", *dBnScaleBiasDesc, *xDesc, mode) ||
      is_too_small(refusal, epsilon) ||
      only_one(refusal, {"savedMean", savedMean}, {"savedInvVariance", savedInvVariance}) ||
      refusal.not_computed("xDesc", *xDesc) || refusal.not_computed("dyDesc", *dyDesc) ||
      refusal.not_computed("dxDesc", *dxDesc) ||
      refusal.not_computed("dBnScaleBiasDesc", *dBnScaleBiasDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnBatchNormalizationBackward");
  Factors data, parameters;
  if (!take(call, alphaDataDiff, betaDataDiff, data) ||
      !take(call, alphaParamDiff, betaParamDiff, parameters)) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  return enqueue_on(
      call, handle, [=, from = *xDesc, above = *dyDesc, to = *dxDesc, shape = *dBnScaleBiasDesc] {
        if (!may_use(call, "x", x, from, Use::read) || !may_use(call, "dy", dy, above, Use::read) ||
            !may_use(call, "bnScale", bnScale, shape, Use::read) ||
            (savedMean &&
             (!may_use(call, "savedMean", savedMean, shape, Use::read) ||
              !may_use(call, "savedInvVariance", savedInvVariance, shape, Use::read))) ||
            !may_use(call, "dx", dx, to, result_use(data.beta)) ||
            !may_use(call, "dBnScaleResult", dBnScaleResult, shape, result_use(parameters.beta)) ||
            !may_use(call, "dBnBiasResult", dBnBiasResult, shape, result_use(parameters.beta))) {
          return;
        }
        const Grouping input = grouping(from, mode), gradient = grouping(above, mode),
                       output = grouping(to, mode);
        const FloatInput given(x, from), given_dy(dy, above);
        FloatResult result(dx, to, data.beta != 0);
        const auto elements = static_cast<double>(count(input.members));
        for_each_place(input.groups, [&](const int* position, int64_t place) {
          const float* x_group = given.data() + place;
          const float* dy_group = given_dy.data() + place_of(above, position);
          float* dx_group = result.data() + place_of(to, position);
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
          const auto both = rows_of(gradient.members, input.members);
          const double bias =
              sum_of(both, [&](const auto& each) { return double{dy_group[each[0]]}; });
          const double scale = sum_of(both, [&](const auto& each) {
            return dy_group[each[0]] * (x_group[each[1]] - mean) * inverse;
          });
          const double slope = static_cast<const float*>(bnScale)[at] * inverse;
          blend_rows(
              rows_of(output.members, input.members, gradient.members), data, dx_group,
              [&](const auto& each) {
                const double normal = (x_group[each[1]] - mean) * inverse;
                const double of_dy = dy_group[each[2]];
                return static_cast<float>(slope * (of_dy - (bias + normal * scale) / elements));
              });
          blend(parameters.alpha, static_cast<float>(scale), parameters.beta,
                static_cast<float*>(dBnScaleResult)[at]);
          blend(parameters.alpha, static_cast<float>(bias), parameters.beta,
                static_cast<float*>(dBnBiasResult)[at]);
        });
      });
}

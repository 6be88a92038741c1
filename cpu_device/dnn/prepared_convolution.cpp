// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/prepared_convolution.h"

namespace convkit::simt::dnn {

cudnnStatus_t prepare(Pass pass, int algorithm, cudnnTensorDescriptor_t x,
                      cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t convolution,
                      cudnnTensorDescriptor_t y, const void* alpha, const void* beta,
                      void* workspace, size_t workspace_bytes, Prepared& prepared) {
  if (!alpha || !beta) return CUDNN_STATUS_BAD_PARAM;
  const cudnnStatus_t status = describe(convolution, x, w, y, prepared.conv);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const Judgement judgement = judge(pass, algorithm, prepared.conv);
  if (judgement.status != CUDNN_STATUS_SUCCESS) return judgement.status;
  if (workspace_bytes < judgement.workspace || (judgement.workspace > 0 && !workspace)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  prepared.workspace = workspace;
  prepared.workspace_bytes = judgement.workspace;
  return take(prepared.call, alpha, beta, prepared.factors) ? CUDNN_STATUS_SUCCESS
                                                            : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace convkit::simt::dnn

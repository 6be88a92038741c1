// SPDX-License-Identifier: MIT
// Functions of cuDNN that the CPU device does not have. Calling one is an error at the student's
// line, which says what to call instead.
#pragma once

#include "simt/unsupported.h"

#define CONVKIT_SIMT_NO_DNN(name, instead) \
  CONVKIT_SIMT_NO_FUNCTION(name, #name " is not supported on the CPU device; " instead)

CONVKIT_SIMT_NO_DNN(cudnnGetLastErrorString, "call cudnnGetErrorString")
CONVKIT_SIMT_NO_DNN(cudnnQueryRuntimeError, "call cudnnGetErrorString")

CONVKIT_SIMT_NO_DNN(cudnnSetCallback, "print the statuses that the calls return")
CONVKIT_SIMT_NO_DNN(cudnnGetCallback, "print the statuses that the calls return")

CONVKIT_SIMT_NO_DNN(cudnnGraphVersionCheck, "call cudnnGetVersion")
CONVKIT_SIMT_NO_DNN(cudnnOpsVersionCheck, "call cudnnGetVersion")
CONVKIT_SIMT_NO_DNN(cudnnCnnVersionCheck, "call cudnnGetVersion")

CONVKIT_SIMT_NO_DNN(cudnnBackendCreateDescriptor,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendDestroyDescriptor,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendInitialize,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendFinalize,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendSetAttribute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendGetAttribute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendExecute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendPopulateCudaGraph,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnBackendUpdateCudaGraph,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnCreateFusedOpsConstParamPack,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnDestroyFusedOpsConstParamPack,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnSetFusedOpsConstParamPackAttribute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnGetFusedOpsConstParamPackAttribute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnCreateFusedOpsVariantParamPack,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnDestroyFusedOpsVariantParamPack,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnSetFusedOpsVariantParamPackAttribute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnGetFusedOpsVariantParamPackAttribute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnCreateFusedOpsPlan,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnDestroyFusedOpsPlan,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnMakeFusedOpsPlan,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")
CONVKIT_SIMT_NO_DNN(cudnnFusedOpsExecute,
                    "call the functions that take descriptors, such as cudnnConvolutionForward")

CONVKIT_SIMT_NO_DNN(cudnnInitTransformDest, "call cudnnTransformTensor")
CONVKIT_SIMT_NO_DNN(cudnnCreateTensorTransformDescriptor, "call cudnnTransformTensor")
CONVKIT_SIMT_NO_DNN(cudnnSetTensorTransformDescriptor, "call cudnnTransformTensor")
CONVKIT_SIMT_NO_DNN(cudnnGetTensorTransformDescriptor, "call cudnnTransformTensor")
CONVKIT_SIMT_NO_DNN(cudnnDestroyTensorTransformDescriptor, "call cudnnTransformTensor")
CONVKIT_SIMT_NO_DNN(cudnnTransformTensorEx, "call cudnnTransformTensor")
CONVKIT_SIMT_NO_DNN(cudnnTransformFilter,
                    "call cudnnTransformTensor with a tensor of the filter's sizes")
CONVKIT_SIMT_NO_DNN(cudnnSetActivationDescriptorSwishBeta,
                    "make it of a sigmoid and cudnnOpTensor, or write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetActivationDescriptorSwishBeta,
                    "make it of a sigmoid and cudnnOpTensor, or write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCreateLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDestroyLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnLRNCrossChannelForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDivisiveNormalizationForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDeriveNormTensorDescriptor, "call cudnnDeriveBNTensorDescriptor")
CONVKIT_SIMT_NO_DNN(cudnnNormalizationForwardInference,
                    "call cudnnBatchNormalizationForwardInference")
CONVKIT_SIMT_NO_DNN(cudnnCreateSpatialTransformerDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetSpatialTransformerNdDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDestroySpatialTransformerDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSpatialTfGridGeneratorForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSpatialTfSamplerForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnLRNCrossChannelBackward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDivisiveNormalizationBackward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize,
                    "call cudnnBatchNormalizationForwardTraining")
CONVKIT_SIMT_NO_DNN(cudnnGetBatchNormalizationBackwardExWorkspaceSize,
                    "call cudnnBatchNormalizationBackward")
CONVKIT_SIMT_NO_DNN(cudnnGetBatchNormalizationTrainingExReserveSpaceSize,
                    "call cudnnBatchNormalizationForwardTraining")
CONVKIT_SIMT_NO_DNN(cudnnBatchNormalizationForwardTrainingEx,
                    "call cudnnBatchNormalizationForwardTraining")
CONVKIT_SIMT_NO_DNN(cudnnBatchNormalizationBackwardEx, "call cudnnBatchNormalizationBackward")
CONVKIT_SIMT_NO_DNN(cudnnGetNormalizationForwardTrainingWorkspaceSize,
                    "call cudnnBatchNormalizationForwardTraining")
CONVKIT_SIMT_NO_DNN(cudnnGetNormalizationBackwardWorkspaceSize,
                    "call cudnnBatchNormalizationBackward")
CONVKIT_SIMT_NO_DNN(cudnnGetNormalizationTrainingReserveSpaceSize,
                    "call cudnnBatchNormalizationForwardTraining")
CONVKIT_SIMT_NO_DNN(cudnnNormalizationForwardTraining,
                    "call cudnnBatchNormalizationForwardTraining")
CONVKIT_SIMT_NO_DNN(cudnnNormalizationBackward, "call cudnnBatchNormalizationBackward")
CONVKIT_SIMT_NO_DNN(cudnnSpatialTfGridGeneratorBackward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSpatialTfSamplerBackward, "write a kernel")

CONVKIT_SIMT_NO_DNN(cudnnSetConvolutionReorderType,
                    "leave it out: filters stay in the order of their descriptor")
CONVKIT_SIMT_NO_DNN(cudnnGetConvolutionReorderType,
                    "leave it out: filters stay in the order of their descriptor")
CONVKIT_SIMT_NO_DNN(cudnnReorderFilterAndBias,
                    "leave it out: filters stay in the order of their descriptor")

CONVKIT_SIMT_NO_DNN(cudnnIm2Col, "unroll in a kernel")

CONVKIT_SIMT_NO_DNN(cudnnGetFoldedConvBackwardDataDescriptors, "call cudnnConvolutionBackwardData")

CONVKIT_SIMT_NO_DNN(cudnnAdvVersionCheck, "call cudnnGetVersion")

CONVKIT_SIMT_NO_DNN(cudnnBuildRNNDynamic, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnCTCLoss, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCTCLoss_v8, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCreateAttnDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnCreateCTCLossDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCreateRNNDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnCreateRNNDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnCreateSeqDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnDestroyAttnDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnDestroyCTCLossDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDestroyRNNDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnDestroyRNNDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnDestroySeqDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetAttnDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetCTCLossDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetCTCLossDescriptorEx, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetCTCLossDescriptor_v8, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetCTCLossDescriptor_v9, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetCTCLossWorkspaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetCTCLossWorkspaceSize_v8, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetMultiHeadAttnBuffers, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetMultiHeadAttnWeights, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetRNNDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetRNNDescriptor_v8, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetRNNTempSpaceSizes, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetRNNWeightParams, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetRNNWeightSpaceSize, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnGetSeqDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnMultiHeadAttnBackwardData, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnMultiHeadAttnBackwardWeights, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnMultiHeadAttnForward, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNBackwardData_v8, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNBackwardWeights_v8, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNForward, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNGetClip_v8, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNGetClip_v9, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNSetClip_v8, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnRNNSetClip_v9, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnSetAttnDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnSetCTCLossDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetCTCLossDescriptorEx, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetCTCLossDescriptor_v8, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetCTCLossDescriptor_v9, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetRNNDataDescriptor, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnSetRNNDescriptor_v8, "write it of matrix products and kernels")
CONVKIT_SIMT_NO_DNN(cudnnSetSeqDataDescriptor, "write it of matrix products and kernels")

#define CONVKIT_SIMT_NO_DNN_TYPE(name) \
  typedef void* name CONVKIT_SIMT_UNAVAILABLE(#name " is not supported on the CPU device");

CONVKIT_SIMT_NO_DNN_TYPE(cudnnTensorTransformDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnLRNDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnSpatialTransformerDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnBackendDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnRNNDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnRNNDataDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnSeqDataDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnAttnDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnCTCLossDescriptor_t)

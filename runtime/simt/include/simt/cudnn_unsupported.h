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

CONVKIT_SIMT_NO_DNN(cudnnInitTransformDest, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCreateTensorTransformDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetTensorTransformDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetTensorTransformDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDestroyTensorTransformDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnTransformTensorEx, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnTransformFilter, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetActivationDescriptorSwishBeta, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetActivationDescriptorSwishBeta, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCreateLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDestroyLRNDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnLRNCrossChannelForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDivisiveNormalizationForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDeriveNormTensorDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnNormalizationForwardInference, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnCreateSpatialTransformerDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSetSpatialTransformerNdDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDestroySpatialTransformerDescriptor, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSpatialTfGridGeneratorForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnSpatialTfSamplerForward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnLRNCrossChannelBackward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnDivisiveNormalizationBackward, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetBatchNormalizationBackwardExWorkspaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetBatchNormalizationTrainingExReserveSpaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnBatchNormalizationForwardTrainingEx, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnBatchNormalizationBackwardEx, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetNormalizationForwardTrainingWorkspaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetNormalizationBackwardWorkspaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnGetNormalizationTrainingReserveSpaceSize, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnNormalizationForwardTraining, "write a kernel")
CONVKIT_SIMT_NO_DNN(cudnnNormalizationBackward, "write a kernel")
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

#define CONVKIT_SIMT_NO_DNN_TYPE(name) \
  typedef void* name CONVKIT_SIMT_UNAVAILABLE(#name " is not supported on the CPU device");

CONVKIT_SIMT_NO_DNN_TYPE(cudnnTensorTransformDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnLRNDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnSpatialTransformerDescriptor_t)
CONVKIT_SIMT_NO_DNN_TYPE(cudnnBackendDescriptor_t)

// SPDX-License-Identifier: MIT
// Calls that reduce tensors, and their descriptors. Indices of the elements chosen by MIN, MAX and
// AMAX are not computed.
#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/reduction.h"

namespace convkit::simt::dnn {
namespace {

// The size on a GPU is not known. Here it is one element for each result, if something is reduced.
size_t workspace_of(const cudnnTensorStruct& a, const cudnnTensorStruct& c) {
  if (same_sizes(a, c)) return 0;
  size_t bytes = sizeof(float);
  for (int i = 0; i < c.dims; ++i) bytes *= static_cast<size_t>(c.size[i]);
  return bytes;
}

bool fit(cudnnReduceTensorDescriptor_t reduction, cudnnTensorDescriptor_t a,
         cudnnTensorDescriptor_t c) {
  return reduction && a && c && a->dims > 0 && can_spread(*c, *a);
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t* reduceTensorDesc) {
  if (!reduceTensorDesc) return CUDNN_STATUS_BAD_PARAM;
  *reduceTensorDesc = new cudnnReduceTensorStruct;
  note_created(*reduceTensorDesc, "reduction descriptor",
               convkit::simt::library_call("cudnnCreateReduceTensorDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc) {
  note_destroyed(reduceTensorDesc);
  delete reduceTensorDesc;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t reduceTensorOp,
                                             cudnnDataType_t reduceTensorCompType,
                                             cudnnNanPropagation_t reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t reduceTensorIndices,
                                             cudnnIndicesType_t reduceTensorIndicesType) {
  if (!reduceTensorDesc || reduceTensorOp < CUDNN_REDUCE_TENSOR_ADD ||
      reduceTensorOp > CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS ||
      element_bytes(reduceTensorCompType) == 0 || !is_nan_propagation(reduceTensorNanOpt) ||
      reduceTensorIndices < CUDNN_REDUCE_TENSOR_NO_INDICES ||
      reduceTensorIndices > CUDNN_REDUCE_TENSOR_FLATTENED_INDICES ||
      reduceTensorIndicesType < CUDNN_32BIT_INDICES ||
      reduceTensorIndicesType > CUDNN_8BIT_INDICES) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *reduceTensorDesc = {reduceTensorOp, reduceTensorCompType, reduceTensorNanOpt,
                       reduceTensorIndices, reduceTensorIndicesType};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t* reduceTensorOp,
                                             cudnnDataType_t* reduceTensorCompType,
                                             cudnnNanPropagation_t* reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t* reduceTensorIndices,
                                             cudnnIndicesType_t* reduceTensorIndicesType) {
  if (!reduceTensorDesc || !reduceTensorOp || !reduceTensorCompType || !reduceTensorNanOpt ||
      !reduceTensorIndices || !reduceTensorIndicesType) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *reduceTensorOp = reduceTensorDesc->operation;
  *reduceTensorCompType = reduceTensorDesc->type;
  *reduceTensorNanOpt = reduceTensorDesc->nan;
  *reduceTensorIndices = reduceTensorDesc->indices;
  *reduceTensorIndicesType = reduceTensorDesc->indices_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                                           const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           const cudnnTensorDescriptor_t aDesc,
                                           const cudnnTensorDescriptor_t cDesc,
                                           size_t* sizeInBytes) {
  if (!is_alive(handle) || !sizeInBytes || !fit(reduceTensorDesc, aDesc, cDesc)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (reduceTensorDesc->indices != CUDNN_REDUCE_TENSOR_NO_INDICES) {
    return CUDNN_STATUS_NOT_SUPPORTED;
  }
  *sizeInBytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                             const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             const cudnnTensorDescriptor_t aDesc,
                                             const cudnnTensorDescriptor_t cDesc,
                                             size_t* sizeInBytes) {
  if (!is_alive(handle) || !sizeInBytes || !fit(reduceTensorDesc, aDesc, cDesc)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *sizeInBytes = workspace_of(*aDesc, *cDesc);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle,
                                const cudnnReduceTensorDescriptor_t reduceTensorDesc, void*, size_t,
                                void* workspace, size_t workspaceSizeInBytes, const void* alpha,
                                const cudnnTensorDescriptor_t aDesc, const void* A,
                                const void* beta, const cudnnTensorDescriptor_t cDesc, void* C) {
  if (!is_alive(handle) || !fit(reduceTensorDesc, aDesc, cDesc) || !alpha || !A || !beta || !C ||
      aDesc->type != cDesc->type) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const cudnnReduceTensorStruct reduction = *reduceTensorDesc;
  if (!is_computed(*aDesc) || !is_computed(*cDesc) || reduction.type != CUDNN_DATA_FLOAT ||
      reduction.indices != CUDNN_REDUCE_TENSOR_NO_INDICES) {
    return CUDNN_STATUS_NOT_SUPPORTED;
  }
  const size_t bytes = workspace_of(*aDesc, *cDesc);
  if (workspaceSizeInBytes < bytes || (bytes > 0 && !workspace)) return CUDNN_STATUS_BAD_PARAM;
  const auto call = convkit::simt::library_call("cudnnReduceTensor");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=, from = *aDesc, to = *cDesc] {
    if (!may_use(call, "A", A, from, Use::read) ||
        !may_use(call, "C", C, to, result_use(factors.beta)) ||
        !may_use_bytes(call, "workspace", workspace, bytes, Use::write)) {
      return;
    }
    const FloatInput input(A, from);
    FloatResult result(C, to, factors.beta != 0);
    reduce(reduction.operation, reduction.nan, factors, input.data(), from, result.data(), to);
  });
}

}  // extern "C"

// SPDX-License-Identifier: MIT
// Calls that reduce tensors, and their descriptors. Indices of the elements chosen by MIN, MAX and
// AMAX are not computed.
#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/reduction.h"
#include "cpu_device/dnn/refusal.h"

namespace convkit::simt::dnn {
namespace {

// The size on a GPU is not known. Here it is one element for each result, if something is reduced.
size_t workspace_of(const cudnnTensorStruct& a, const cudnnTensorStruct& c) {
  if (same_sizes(a, c)) return 0;
  size_t bytes = sizeof(float);
  for (int i = 0; i < c.dims; ++i) bytes *= static_cast<size_t>(c.size[i]);
  return bytes;
}

bool misfit(Refusal& refusal, cudnnReduceTensorDescriptor_t reduction, cudnnTensorDescriptor_t a,
            cudnnTensorDescriptor_t c) {
  return refusal.null({{"reduceTensorDesc", reduction}, {"aDesc", a}, {"cDesc", c}}) ||
         refusal.never_set("aDesc", *a) || refusal.cannot_spread("cDesc", *c, "aDesc", *a);
}

bool wants_indices(Refusal& refusal, const cudnnReduceTensorStruct& reduction) {
  return reduction.indices != CUDNN_REDUCE_TENSOR_NO_INDICES &&
         refusal.not_supported("reduceTensorDesc asks for indices; the CPU device computes none");
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t* reduceTensorDesc) {
  Refusal refusal("cudnnCreateReduceTensorDescriptor");
  if (refusal.null({{"reduceTensorDesc", reduceTensorDesc}})) return refusal.status();
  *reduceTensorDesc = new cudnnReduceTensorStruct;
  note_created(reduceTensorDesc, "reduction descriptor",
               convkit::simt::library_call("cudnnCreateReduceTensorDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc) {
  return destroy("cudnnDestroyReduceTensorDescriptor", "reduceTensorDesc", reduceTensorDesc);
}

cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t reduceTensorOp,
                                             cudnnDataType_t reduceTensorCompType,
                                             cudnnNanPropagation_t reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t reduceTensorIndices,
                                             cudnnIndicesType_t reduceTensorIndicesType) {
  Refusal refusal("cudnnSetReduceTensorDescriptor");
  if (refusal.null({{"reduceTensorDesc", reduceTensorDesc}}) ||
      ((reduceTensorOp < CUDNN_REDUCE_TENSOR_ADD ||
        reduceTensorOp > CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS) &&
       refusal.wrong_number("reduceTensorOp", reduceTensorOp,
                            "it must be a cudnnReduceTensorOp_t")) ||
      refusal.unknown_type("reduceTensorCompType", reduceTensorCompType) ||
      refusal.unknown_nan_option("reduceTensorNanOpt", reduceTensorNanOpt) ||
      ((reduceTensorIndices < CUDNN_REDUCE_TENSOR_NO_INDICES ||
        reduceTensorIndices > CUDNN_REDUCE_TENSOR_FLATTENED_INDICES) &&
       refusal.wrong_number("reduceTensorIndices", reduceTensorIndices,
                            "it must be a cudnnReduceTensorIndices_t")) ||
      ((reduceTensorIndicesType < CUDNN_32BIT_INDICES ||
        reduceTensorIndicesType > CUDNN_8BIT_INDICES) &&
       refusal.wrong_number("reduceTensorIndicesType", reduceTensorIndicesType,
                            "it must be a cudnnIndicesType_t"))) {
    return refusal.status();
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
  Refusal refusal("cudnnGetReduceTensorDescriptor");
  if (refusal.null({{"reduceTensorDesc", reduceTensorDesc},
                    {"reduceTensorOp", reduceTensorOp},
                    {"reduceTensorCompType", reduceTensorCompType},
                    {"reduceTensorNanOpt", reduceTensorNanOpt},
                    {"reduceTensorIndices", reduceTensorIndices},
                    {"reduceTensorIndicesType", reduceTensorIndicesType}})) {
    return refusal.status();
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
  Refusal refusal("cudnnGetReductionIndicesSize");
  if (refusal.no_handle(handle) || refusal.null({{"sizeInBytes", sizeInBytes}}) ||
      misfit(refusal, reduceTensorDesc, aDesc, cDesc) ||
      wants_indices(refusal, *reduceTensorDesc)) {
    return refusal.status();
  }
  *sizeInBytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                             const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             const cudnnTensorDescriptor_t aDesc,
                                             const cudnnTensorDescriptor_t cDesc,
                                             size_t* sizeInBytes) {
  Refusal refusal("cudnnGetReductionWorkspaceSize");
  if (refusal.no_handle(handle) || refusal.null({{"sizeInBytes", sizeInBytes}}) ||
      misfit(refusal, reduceTensorDesc, aDesc, cDesc)) {
    return refusal.status();
  }
  *sizeInBytes = workspace_of(*aDesc, *cDesc);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle,
                                const cudnnReduceTensorDescriptor_t reduceTensorDesc, void*, size_t,
                                void* workspace, size_t workspaceSizeInBytes, const void* alpha,
                                const cudnnTensorDescriptor_t aDesc, const void* A,
                                const void* beta, const cudnnTensorDescriptor_t cDesc, void* C) {
  Refusal refusal("cudnnReduceTensor");
  if (refusal.no_handle(handle) || misfit(refusal, reduceTensorDesc, aDesc, cDesc) ||
      refusal.null({{"alpha", alpha}, {"A", A}, {"beta", beta}, {"C", C}}) ||
      refusal.types_differ("aDesc", aDesc->type, "cDesc", cDesc->type) ||
      refusal.not_computed("aDesc", *aDesc) || refusal.not_computed("cDesc", *cDesc) ||
      (reduceTensorDesc->type != CUDNN_DATA_FLOAT &&
       refusal.not_supported(said("reduceTensorDesc sums in ", type_text(reduceTensorDesc->type),
                                  "; the CPU device sums in CUDNN_DATA_FLOAT"))) ||
      wants_indices(refusal, *reduceTensorDesc)) {
    return refusal.status();
  }
  const cudnnReduceTensorStruct reduction = *reduceTensorDesc;
  const size_t bytes = workspace_of(*aDesc, *cDesc);
  if ((workspaceSizeInBytes < bytes &&
       refusal.bad_param(said("workspaceSizeInBytes is ", workspaceSizeInBytes, ", less than the ",
                              bytes, " that this reduction needs"))) ||
      (bytes > 0 && refusal.null({{"workspace", workspace}}))) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnReduceTensor");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *aDesc, to = *cDesc] {
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

// SPDX-License-Identifier: MIT
// Arguments of calls: tensors in device memory, and the factors alpha and beta in host memory.
#pragma once

#include <initializer_list>
#include <utility>

#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/handle.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/engine/library_call.h"

namespace convkit::simt::dnn {

enum class Use { read, write, update };

// If beta is 0, a result is written without being read.
inline Use result_use(float beta) {
  return beta == 0 ? Use::write : Use::update;
}

inline void blend(float alpha, float value, float beta, float& result) {
  result = beta == 0 ? alpha * value : alpha * value + beta * result;
}

// alpha and beta of a call.
struct Factors {
  float alpha = 1, beta = 0;
};

// To be called at the call. Returns false, after a report, if one of them is in device memory: the
// status is EXECUTION_FAILED then.
bool take(const LibraryCall& call, const void* alpha, const void* beta, Factors& factors);

// The same for one factor.
bool is_read_on_host(const LibraryCall& call, const char* argument, const void* factor);

// Whether the library computes with this tensor: float, or half, which is computed as float.
// Distances must be positive.
bool is_computed(const cudnnTensorStruct& tensor);

// In an operation: whether all elements of a tensor are there to be used.
bool may_use(const LibraryCall& call, const char* argument, const void* begin,
             const cudnnTensorStruct& tensor, Use use);

// In an operation: the result must not overlap its inputs. Reported in check mode only, and only
// for tensors whose elements are contiguous in at most three steps.
struct TensorUse {
  const char* argument;
  const void* begin;
  const cudnnTensorStruct& tensor;
};
void expect_apart(const LibraryCall& call, const TensorUse& result,
                  std::initializer_list<TensorUse> sources);

// may_use() for memory that is not a tensor, such as a workspace.
bool may_use_bytes(const LibraryCall& call, const char* argument, const void* begin, size_t bytes,
                   Use use);

cudnnTensorStruct as_tensor(const cudnnFilterStruct& filter);

bool same_sizes(const cudnnTensorStruct& one, const cudnnTensorStruct& other);

// Queues `run` on the stream of the handle.
template <class Run>
cudnnStatus_t enqueue_on(const LibraryCall& call, cudnnHandle_t handle, Run run) {
  Refusal refusal(call.name);
  const cudaError_t error = enqueue(handle->stream, std::move(run));
  if (error != cudaSuccess) refusal.with(CUDNN_STATUS_EXECUTION_FAILED, why_not_queued(error));
  return refusal.status();
}

}  // namespace convkit::simt::dnn

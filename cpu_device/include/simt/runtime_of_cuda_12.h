// SPDX-License-Identifier: MIT
// Names that CUDA 12 has and CUDA 13 dropped. `convkit cc --cuda12` has them; without it they are
// refused at the program's line.
#pragma once

#include "simt/attributes.h"
#include "simt/runtime_api.h"

#if defined(CONVKIT_SIMT_CUDA_12)

static inline cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}
static inline cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}
static inline cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
static inline cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

// Of graphs: without the data of edges.
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                            cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                       cudaGraphNode_t* dependencies,
                                                       size_t* count) {
  return cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t* dependents,
                                                         size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id = nullptr,
    cudaGraph_t* graph = nullptr, const cudaGraphNode_t** dependencies = nullptr,
    size_t* count = nullptr) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                              cudaGraphNode_t* dependencies,
                                                              size_t count,
                                                              unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}

#else

#define CONVKIT_SIMT_OF_CUDA_12(name)                                                     \
  template <class... Arguments>                                                           \
  CONVKIT_SIMT_UNAVAILABLE(#name                                                          \
                           "(): CUDA 13 dropped it; compile with `convkit cc --cuda12`, " \
                           "or write what CUDA 13 has")                                   \
  cudaError_t                                                                             \
  name(Arguments...);

CONVKIT_SIMT_OF_CUDA_12(cudaThreadSynchronize)
CONVKIT_SIMT_OF_CUDA_12(cudaThreadExit)
CONVKIT_SIMT_OF_CUDA_12(cudaThreadGetLimit)
CONVKIT_SIMT_OF_CUDA_12(cudaThreadSetLimit)
CONVKIT_SIMT_OF_CUDA_12(cudaThreadSetCacheConfig)
#undef CONVKIT_SIMT_OF_CUDA_12

#endif

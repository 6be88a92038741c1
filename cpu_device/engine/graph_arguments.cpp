// SPDX-License-Identifier: MIT
#include "cpu_device/engine/graph_arguments.h"

#include <algorithm>

#include "cpu_device/engine/kernel_work.h"
#include "cpu_device/engine/memory_copy.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/work.h"

namespace convkit::simt {
namespace {

cudaError_t refuse_fault(const char* call, const std::string& fault) {
  return fault.empty() ? cudaSuccess : refuse(call, cudaErrorInvalidValue, fault);
}

struct KernelNode {
  const char* call;
  const ConvkitSimtLaunch* launch;
  Work* work;
};

cudaError_t describe_kernel(const ConvkitSimtKernel* kernel, void* state) {
  const auto& node = *static_cast<KernelNode*>(state);
  return kernel_work(node.call, *kernel, *node.launch, *node.work);
}

}  // namespace

cudaError_t refuse_graph(const char* call, const char* argument, const CUgraph_st* graph) {
  return refuse_fault(call, graph_fault(argument, graph));
}

cudaError_t refuse_node(const char* call, const char* argument, const CUgraphNode_st* node) {
  return refuse_fault(call, node_fault(argument, node));
}

cudaError_t refuse_node(const char* call, const char* argument, const CUgraphNode_st* node,
                        cudaGraphNodeType type) {
  const cudaError_t error = refuse_node(call, argument, node);
  if (error != cudaSuccess || node->work.type == type) return error;
  return refuse(call, cudaErrorInvalidValue,
                said(argument, " is ", type_text(node->work.type), " node, and the call is for ",
                     type_text(type), " node"));
}

cudaError_t refuse_exec(const char* call, const CUgraphExec_st* exec) {
  return refuse_fault(call, exec_fault("graphExec", exec));
}

cudaError_t refuse_edges(const char* call, const cudaGraphEdgeData* edges, size_t count) {
  for (size_t i = 0; edges && i < count; ++i) {
    const bool ordinary = edges[i].from_port == 0 && edges[i].to_port == 0 && edges[i].type == 0;
    if (ordinary) continue;
    return refuse(call, cudaErrorNotSupported,
                  said("edgeData[", i,
                       "] is a programmatic edge, which the CPU device does not "
                       "have; all of its bytes must be 0"));
  }
  return cudaSuccess;
}

cudaError_t refuse_dependencies(const char* call, const CUgraph_st* graph,
                                const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                size_t count, std::vector<CUgraphNode_st*>& nodes) {
  cudaError_t error = refuse_graph(call, "graph", graph);
  if (error != cudaSuccess) return error;
  if (count != 0 && !dependencies) {
    return refuse(call, cudaErrorInvalidValue,
                  said("pDependencies is null, and numDependencies is ", count));
  }
  for (size_t i = 0; i < count; ++i) {
    const std::string name = said("pDependencies[", i, "]");
    error = refuse_node(call, name.c_str(), dependencies[i]);
    if (error != cudaSuccess) return error;
    if (dependencies[i]->graph != graph) {
      return refuse(call, cudaErrorInvalidValue, name + " is a node of another graph");
    }
    if (std::find(nodes.begin(), nodes.end(), dependencies[i]) != nodes.end()) {
      return refuse(call, cudaErrorInvalidValue, name + " is there twice");
    }
    nodes.push_back(dependencies[i]);
  }
  return refuse_edges(call, edges, count);
}

const cudaGraphEdgeData* ordinary_edges(size_t count) {
  static thread_local std::vector<cudaGraphEdgeData> edges;
  edges.assign(std::max<size_t>(count, 1), cudaGraphEdgeData{});
  return edges.data();
}

cudaError_t kernel_node_work(const char* call, const cudaKernelNodeParams* parameters,
                             const char* file, int line, Work& work) {
  if (!parameters) return refuse(call, cudaErrorInvalidValue, "pNodeParams is null");
  const cudaKernelNodeParams& p = *parameters;
  if (!p.func) return refuse(call, cudaErrorInvalidDeviceFunction, "func is null");
  const ConvkitSimtReadArguments read = reader_of_arguments(p.func);
  if (!read) {
    return refuse(call, cudaErrorInvalidDeviceFunction,
                  "func is no kernel whose parameters are known; write func = (void*)kernel");
  }
  if (p.extra) {
    return refuse(call, cudaErrorNotSupported, "extra is not null; give kernelParams instead");
  }
  const ConvkitSimtLaunch launch{{p.gridDim.x, p.gridDim.y, p.gridDim.z},
                                 {p.blockDim.x, p.blockDim.y, p.blockDim.z},
                                 p.sharedMemBytes,
                                 nullptr,
                                 file,
                                 line,
                                 0,
                                 0};
  KernelNode node{call, &launch, &work};
  return read(p.func, p.kernelParams, describe_kernel, &node);
}

cudaError_t memcpy_node_work(const char* call, void* to, const void* from, size_t bytes,
                             cudaMemcpyKind kind, Work& work) {
  if (bytes == 0) return refuse(call, cudaErrorInvalidValue, "count is 0; it must be at least 1");
  return rows_work(call, {{to, bytes, from, bytes, bytes, 1}}, kind, work);
}

cudaError_t memset_node_work(const char* call, const cudaMemsetParams* parameters, Work& work) {
  if (!parameters) return refuse(call, cudaErrorInvalidValue, "pMemsetParams is null");
  return memset_work(call, *parameters, work);
}

cudaError_t host_node_work(const char* call, const cudaHostNodeParams* parameters, Work& work) {
  if (!parameters) return refuse(call, cudaErrorInvalidValue, "pNodeParams is null");
  if (!parameters->fn) return refuse(call, cudaErrorInvalidValue, "fn is null");
  work = host_work(call, parameters->fn, parameters->userData);
  return cudaSuccess;
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Executable graphs of the CUDA runtime API: instantiation, launches and changes.
#include <algorithm>
#include <utility>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/graph_arguments.h"
#include "cpu_device/engine/graph_launch.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

cudaError_t instantiate(const char* name, cudaGraphExec_t* exec, cudaGraph_t graph,
                        unsigned long long flags) {
  return call([=] {
    if (!exec) return refuse(name, cudaErrorInvalidValue, "pGraphExec is null");
    *exec = nullptr;
    const cudaError_t error = refuse_graph(name, "graph", graph);
    if (error != cudaSuccess) return error;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
      return refuse(name, cudaErrorNotSupported,
                    "kernels cannot launch graphs on the CPU device; leave out "
                    "cudaGraphInstantiateFlagDeviceLaunch");
    }
    if (flags > 15) return refuse(name, cudaErrorInvalidValue, said("flags is ", flags));
    std::unique_ptr<CUgraph_st> copy = clone(*graph);
    std::vector<Step> steps;
    if (!plan_steps(*copy, steps)) {
      return refuse(name, cudaErrorInvalidValue,
                    "the edges of graph make a cycle: some node comes after itself");
    }
    *exec = new CUgraphExec_st(std::move(copy), std::move(steps), flags);
    return cudaSuccess;
  });
}

// The node of the executable graph that was made of `node`; null: `error` says why there is none.
CUgraphNode_st* node_in(const char* name, cudaGraphExec_t exec, cudaGraphNode_t node,
                        cudaError_t& error) {
  error = refuse_exec(name, exec);
  if (error == cudaSuccess) error = refuse_node(name, "node", node);
  if (error != cudaSuccess) return nullptr;
  CUgraphNode_st* found = find_clone(*exec->graph, *node);
  if (!found) {
    error = refuse(name, cudaErrorInvalidValue,
                   "node is not of the graph that graphExec was instantiated from");
  }
  return found;
}

// Gives a node of this type other work, for the launches to come.
template <class Describe>
cudaError_t set_exec_node(const char* name, cudaGraphExec_t exec, cudaGraphNode_t node,
                          cudaGraphNodeType type, const Describe& describe) {
  return call([&] {
    cudaError_t error = cudaSuccess;
    CUgraphNode_st* found = node_in(name, exec, node, error);
    if (found) error = refuse_node(name, "node", node, type);
    if (error != cudaSuccess) return error;
    Work work;
    error = describe(work);
    if (error == cudaSuccess) found->work = std::move(work);
    return error;
  });
}

std::vector<size_t> places_of(const CUgraph_st& graph, const std::vector<CUgraphNode_st*>& nodes) {
  std::vector<size_t> places;
  for (const CUgraphNode_st* node : nodes) {
    const auto at = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [&](const auto& one) { return one.get() == node; });
    places.push_back(static_cast<size_t>(at - graph.nodes.begin()));
  }
  std::sort(places.begin(), places.end());
  return places;
}

// Why the executable graph cannot take over the work of the other.
struct Mismatch {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  CUgraphNode_st* node = nullptr;
  const char* why = "";
};

// The nodes of the two are paired in the order in which they were added.
Mismatch mismatch(const CUgraph_st& own, const CUgraph_st& other) {
  if (own.nodes.size() != other.nodes.size()) {
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, "has another number of nodes"};
  }
  for (size_t i = 0; i < own.nodes.size(); ++i) {
    const CUgraphNode_st& before = *own.nodes[i];
    CUgraphNode_st& after = *other.nodes[i];
    if (places_of(own, before.after) != places_of(other, after.after)) {
      return {cudaGraphExecUpdateErrorTopologyChanged, &after, "has other edges"};
    }
    if (before.work.type != after.work.type) {
      return {cudaGraphExecUpdateErrorNodeTypeChanged, &after, "has a node of another type"};
    }
    if (before.work.cooperative != after.work.cooperative) {
      return {cudaGraphExecUpdateErrorAttributesChanged, &after,
              "has a kernel node that is cooperative in one of the two only"};
    }
    if (!before.child) continue;
    const Mismatch inside = mismatch(*before.child, *after.child);
    if (inside.result != cudaGraphExecUpdateSuccess) return inside;
  }
  return {};
}

void take_over(CUgraph_st& own, const CUgraph_st& other) {
  for (size_t i = 0; i < own.nodes.size(); ++i) {
    own.nodes[i]->work = other.nodes[i]->work;
    if (own.nodes[i]->child) take_over(*own.nodes[i]->child, *other.nodes[i]->child);
  }
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return instantiate("cudaGraphInstantiate", exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate("cudaGraphInstantiateWithFlags", exec, graph, flags);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphExecGetFlags";
    const cudaError_t error = refuse_exec(kCall, exec);
    if (error != cudaSuccess) return error;
    if (!flags) return refuse(kCall, cudaErrorInvalidValue, "flags is null");
    // An H200 does not give this one back.
    *flags =
        exec->flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUseNodePriority);
    return cudaSuccess;
  });
}

// Nothing has to be moved to the device.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphUpload";
    const cudaError_t error = refuse_exec(kCall, exec);
    if (error != cudaSuccess) return error;
    CUstream_st* stream = queue().resolve(handle);
    return stream ? refuse_in_capture(kCall, stream) : refuse_stream(kCall);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphLaunch";
    cudaError_t error = refuse_exec(kCall, exec);
    if (error != cudaSuccess) return error;
    CUstream_st* stream = queue().resolve(handle);
    if (!stream) return refuse_stream(kCall);
    error = refuse_in_capture(kCall, stream);
    if (error != cudaSuccess) return error;
    if (stream->capture) {  // as on an H200
      invalidate(*stream->capture);
      return refuse(kCall, cudaErrorStreamCaptureUnsupported,
                    "the stream is being captured; add the graph as a child with "
                    "cudaGraphAddChildGraphNode(), or launch it when the capture has ended");
    }
    launch_graph(*exec, stream);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call([=] {
    const cudaError_t error = refuse_exec("cudaGraphExecDestroy", exec);
    if (error == cudaSuccess) delete exec;  // launches that have not run keep what they need
    return error;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphExecUpdate";
    if (result) *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    cudaError_t error = refuse_exec(kCall, exec);
    if (error == cudaSuccess) error = refuse_graph(kCall, "hGraph", graph);
    if (error != cudaSuccess) return error;
    const Mismatch found = mismatch(*exec->graph, *graph);
    if (result) *result = {found.result, found.node, nullptr};
    if (found.result != cudaGraphExecUpdateSuccess) {
      return refuse(kCall, cudaErrorGraphExecUpdateFailure,
                    said("hGraph ", found.why, " than hGraphExec"));
    }
    take_over(*exec->graph, *graph);
    return cudaSuccess;
  });
}

cudaError_t convkit_simt_graph_exec_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               const cudaKernelNodeParams* parameters,
                                               const char* file, int line) {
  constexpr const char* kCall = "cudaGraphExecKernelNodeSetParams";
  return set_exec_node(kCall, exec, node, cudaGraphNodeTypeKernel, [&](Work& work) {
    return kernel_node_work(kCall, parameters, file, line, work);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaGraphExecMemcpyNodeSetParams1D";
  return set_exec_node(kCall, exec, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return memcpy_node_work(kCall, to, from, bytes, kind, work);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  constexpr const char* kCall = "cudaGraphExecMemsetNodeSetParams";
  return set_exec_node(kCall, exec, node, cudaGraphNodeTypeMemset,
                       [&](Work& work) { return memset_node_work(kCall, parameters, work); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  constexpr const char* kCall = "cudaGraphExecHostNodeSetParams";
  return set_exec_node(kCall, exec, node, cudaGraphNodeTypeHost,
                       [&](Work& work) { return host_node_work(kCall, parameters, work); });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphNodeSetEnabled";
    cudaError_t error = cudaSuccess;
    CUgraphNode_st* found = node_in(kCall, exec, node, error);
    if (!found) return error;
    if (found->work.type > cudaGraphNodeTypeMemset) {
      return refuse(kCall, cudaErrorInvalidValue,
                    "only kernel, memcpy and memset nodes can be disabled");
    }
    found->enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphNodeGetEnabled";
    if (!enabled) return refuse(kCall, cudaErrorInvalidValue, "isEnabled is null");
    cudaError_t error = cudaSuccess;
    const CUgraphNode_st* found = node_in(kCall, exec, node, error);
    if (found) *enabled = found->enabled;
    return error;
  });
}
}

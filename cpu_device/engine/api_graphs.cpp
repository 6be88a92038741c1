// SPDX-License-Identifier: MIT
// Graphs of the CUDA runtime API: nodes and edges.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/graph_arguments.h"
#include "cpu_device/engine/memory_copy.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/work.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

// Adds a node whose work `describe(work)` gives, or refuses.
template <class Describe>
cudaError_t add_node_of(const char* name, cudaGraphNode_t* node, cudaGraph_t graph,
                        const cudaGraphNode_t* dependencies, size_t count,
                        const Describe& describe) {
  return call([&] {
    if (!node) return refuse(name, cudaErrorInvalidValue, "pGraphNode is null");
    std::vector<CUgraphNode_st*> after;
    cudaError_t error = refuse_dependencies(name, graph, dependencies, nullptr, count, after);
    if (error != cudaSuccess) return error;
    Work work;
    error = describe(work);
    if (error == cudaSuccess) *node = add_node(*graph, std::move(work), after);
    return error;
  });
}

// Gives a node of this type other work.
template <class Describe>
cudaError_t set_node(const char* name, cudaGraphNode_t node, cudaGraphNodeType type,
                     const Describe& describe) {
  return call([&] {
    cudaError_t error = refuse_node(name, "node", node, type);
    if (error != cudaSuccess) return error;
    Work work;
    error = describe(work);
    if (error == cudaSuccess) node->work = std::move(work);
    return error;
  });
}

cudaError_t add_event_node(const char* name, cudaGraphNodeType type, cudaGraphNode_t* node,
                           cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                           cudaEvent_t event) {
  return add_node_of(name, node, graph, dependencies, count, [&](Work& work) {
    if (!event) return refuse(name, cudaErrorInvalidResourceHandle, "event is null");
    work = event_work(name, type, event->event);
    return cudaSuccess;
  });
}

// Fills what the caller has room for, and says how many there are where it asks for that alone.
template <class T>
void give(const std::vector<T>& all, T* room, size_t space) {
  for (size_t i = 0; i < space; ++i) room[i] = i < all.size() ? all[i] : T{};
}

cudaError_t give_nodes(const char* name, const std::vector<cudaGraphNode_t>& all,
                       cudaGraphNode_t* nodes, cudaGraphEdgeData* edges, size_t* count) {
  if (!count) return refuse(name, cudaErrorInvalidValue, "the count is null");
  if (nodes) {
    give(all, nodes, *count);
    if (edges) give(std::vector<cudaGraphEdgeData>(all.size()), edges, *count);
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

std::vector<cudaGraphNode_t> dependents(const CUgraphNode_st* node) {
  std::vector<cudaGraphNode_t> all;
  for (const auto& other : node->graph->nodes) {
    const auto& after = other->after;
    if (std::find(after.begin(), after.end(), node) != after.end()) all.push_back(other.get());
  }
  return all;
}

// The two ends of edge `i` among the arguments.
cudaError_t refuse_ends(const char* name, const CUgraph_st* graph, const cudaGraphNode_t* from,
                        const cudaGraphNode_t* to, size_t i) {
  const std::string names[] = {said("from[", i, "]"), said("to[", i, "]")};
  const CUgraphNode_st* const ends[] = {from[i], to[i]};
  for (int end = 0; end < 2; ++end) {
    const cudaError_t error = refuse_node(name, names[end].c_str(), ends[end]);
    if (error != cudaSuccess) return error;
    if (ends[end]->graph != graph)
      return refuse(name, cudaErrorInvalidValue, names[end] + " is of another graph");
  }
  return from[i] == to[i]
             ? refuse(name, cudaErrorInvalidValue, names[0] + " and " + names[1] + " are one node")
             : cudaSuccess;
}

// Adds or removes edges: all of them or, if one is wrong, none.
cudaError_t change_edges(const char* name, cudaGraph_t graph, const cudaGraphNode_t* from,
                         const cudaGraphNode_t* to, const cudaGraphEdgeData* edges, size_t count,
                         bool add) {
  return call([=] {
    cudaError_t error = refuse_graph(name, "graph", graph);
    if (error == cudaSuccess) error = refuse_edges(name, edges, count);
    if (error != cudaSuccess || count == 0) return error;
    if (!from || !to)
      return refuse(name, cudaErrorInvalidValue, from ? "to is null" : "from is null");
    for (size_t i = 0; i < count; ++i) {
      error = refuse_ends(name, graph, from, to, i);
      if (error != cudaSuccess) return error;
      const auto& after = to[i]->after;
      const bool is_there = std::find(after.begin(), after.end(), from[i]) != after.end();
      if (is_there == add) {
        return refuse(name, cudaErrorInvalidValue,
                      said("the edge from[", i, "] to to[", i,
                           add ? "] is there already" : "] does not exist"));
      }
    }
    for (size_t i = 0; i < count; ++i) {
      if (add) {
        to[i]->after.push_back(from[i]);
      } else {
        std::erase(to[i]->after, from[i]);
      }
    }
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return call([=] {
    if (!graph) return refuse("cudaGraphCreate", cudaErrorInvalidValue, "pGraph is null");
    if (flags != 0) {
      return refuse("cudaGraphCreate", cudaErrorInvalidValue,
                    said("flags is ", flags, "; it must be 0"));
    }
    *graph = new CUgraph_st;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphDestroy";
    const cudaError_t error = refuse_graph(kCall, "graph", graph);
    if (error != cudaSuccess) return error;
    if (graph->capturing)
      return refuse(kCall, cudaErrorInvalidValue, "a stream is captured into graph");
    if (graph->is_child)
      return refuse(kCall, cudaErrorInvalidValue, "graph belongs to a child graph node");
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* result, cudaGraph_t graph) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphClone";
    if (!result) return refuse(kCall, cudaErrorInvalidValue, "pGraphClone is null");
    const cudaError_t error = refuse_graph(kCall, "originalGraph", graph);
    if (error == cudaSuccess) *result = clone(*graph).release();
    return error;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t graph) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphNodeFindInClone";
    if (!node) return refuse(kCall, cudaErrorInvalidValue, "pNode is null");
    *node = nullptr;
    cudaError_t error = refuse_node(kCall, "originalNode", original);
    if (error == cudaSuccess) error = refuse_graph(kCall, "clonedGraph", graph);
    if (error != cudaSuccess) return error;
    *node = find_clone(*graph, *original);
    return *node ? cudaSuccess
                 : refuse(kCall, cudaErrorInvalidValue,
                          "clonedGraph has no node that was cloned from originalNode");
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphDestroyNode";
    const cudaError_t error = refuse_node(kCall, "node", node);
    if (error != cudaSuccess) return error;
    if (node->graph->capturing)
      return refuse(kCall, cudaErrorInvalidValue, "a stream is captured into its graph");
    remove_node(node);
    return cudaSuccess;
  });
}

cudaError_t convkit_simt_graph_add_kernel(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, size_t count,
                                          const cudaKernelNodeParams* parameters, const char* file,
                                          int line) {
  constexpr const char* kCall = "cudaGraphAddKernelNode";
  return add_node_of(kCall, node, graph, dependencies, count, [&](Work& work) {
    return kernel_node_work(kCall, parameters, file, line, work);
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  constexpr const char* kCall = "cudaGraphAddMemcpyNode";
  return add_node_of(kCall, node, graph, dependencies, count,
                     [&](Work& work) { return slices_work(kCall, parameters, work); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaGraphAddMemcpyNode1D";
  return add_node_of(kCall, node, graph, dependencies, count, [&](Work& work) {
    return memcpy_node_work(kCall, to, from, bytes, kind, work);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  constexpr const char* kCall = "cudaGraphAddMemsetNode";
  return add_node_of(kCall, node, graph, dependencies, count,
                     [&](Work& work) { return memset_node_work(kCall, parameters, work); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  constexpr const char* kCall = "cudaGraphAddHostNode";
  return add_node_of(kCall, node, graph, dependencies, count,
                     [&](Work& work) { return host_node_work(kCall, parameters, work); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return add_node_of("cudaGraphAddEmptyNode", node, graph, dependencies, count,
                     [](Work&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add_event_node("cudaGraphAddEventRecordNode", cudaGraphNodeTypeEventRecord, node, graph,
                        dependencies, count, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add_event_node("cudaGraphAddEventWaitNode", cudaGraphNodeTypeWaitEvent, node, graph,
                        dependencies, count, event);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  constexpr const char* kCall = "cudaGraphAddChildGraphNode";
  std::unique_ptr<CUgraph_st> copy;
  const cudaError_t error = add_node_of(kCall, node, graph, dependencies, count, [&](Work& work) {
    const cudaError_t wrong = refuse_graph(kCall, "childGraph", child);
    if (wrong != cudaSuccess) return wrong;
    copy = clone(*child);
    copy->is_child = true;
    work = Work{cudaGraphNodeTypeGraph, kCall};
    return cudaSuccess;
  });
  if (error == cudaSuccess) (*node)->child = std::move(copy);
  return error;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphChildGraphNodeGetGraph";
    if (!graph) return refuse(kCall, cudaErrorInvalidValue, "pGraph is null");
    const cudaError_t error = refuse_node(kCall, "node", node, cudaGraphNodeTypeGraph);
    if (error == cudaSuccess) *graph = node->child.get();
    return error;
  });
}

cudaError_t convkit_simt_graph_set_kernel(cudaGraphNode_t node,
                                          const cudaKernelNodeParams* parameters, const char* file,
                                          int line) {
  constexpr const char* kCall = "cudaGraphKernelNodeSetParams";
  return set_node(kCall, node, cudaGraphNodeTypeKernel, [&](Work& work) {
    return kernel_node_work(kCall, parameters, file, line, work);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaGraphMemcpyNodeSetParams1D";
  return set_node(kCall, node, cudaGraphNodeTypeMemcpy,
                  [&](Work& work) { return memcpy_node_work(kCall, to, from, bytes, kind, work); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  constexpr const char* kCall = "cudaGraphMemsetNodeSetParams";
  return set_node(kCall, node, cudaGraphNodeTypeMemset,
                  [&](Work& work) { return memset_node_work(kCall, parameters, work); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  constexpr const char* kCall = "cudaGraphHostNodeSetParams";
  return set_node(kCall, node, cudaGraphNodeTypeHost,
                  [&](Work& work) { return host_node_work(kCall, parameters, work); });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphNodeGetType";
    if (!type) return refuse(kCall, cudaErrorInvalidValue, "pType is null");
    const cudaError_t error = refuse_node(kCall, "node", node);
    if (error == cudaSuccess) *type = node->work.type;
    return error;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphGetNodes";
    const cudaError_t error = refuse_graph(kCall, "graph", graph);
    if (error != cudaSuccess) return error;
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return give_nodes(kCall, all, nodes, nullptr, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphGetRootNodes";
    const cudaError_t error = refuse_graph(kCall, "graph", graph);
    if (error != cudaSuccess) return error;
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes) {
      if (node->after.empty()) all.push_back(node.get());
    }
    return give_nodes(kCall, all, nodes, nullptr, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphGetEdges";
    const cudaError_t error = refuse_graph(kCall, "graph", graph);
    if (error != cudaSuccess) return error;
    if (!count) return refuse(kCall, cudaErrorInvalidValue, "numEdges is null");
    if (!from != !to)
      return refuse(kCall, cudaErrorInvalidValue, from ? "to is null" : "from is null");
    std::vector<cudaGraphNode_t> begins, ends;
    for (const auto& node : graph->nodes) {
      for (CUgraphNode_st* before : node->after) {
        begins.push_back(before);
        ends.push_back(node.get());
      }
    }
    if (from) give(begins, from, *count);
    return give_nodes(kCall, ends, to, edges, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edges, size_t* count) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphNodeGetDependencies";
    const cudaError_t error = refuse_node(kCall, "node", node);
    if (error != cudaSuccess) return error;
    return give_nodes(kCall, node->after, dependencies, edges, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* count) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphNodeGetDependentNodes";
    const cudaError_t error = refuse_node(kCall, "node", node);
    if (error != cudaSuccess) return error;
    return give_nodes(kCall, dependents(node), nodes, edges, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t count) {
  return change_edges("cudaGraphAddDependencies", graph, from, to, edges, count, true);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count) {
  return change_edges("cudaGraphRemoveDependencies", graph, from, to, edges, count, false);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  return call([=] {
    constexpr const char* kCall = "cudaGraphDebugDotPrint";
    const cudaError_t error = refuse_graph(kCall, "graph", graph);
    if (error != cudaSuccess) return error;
    if (!path) return refuse(kCall, cudaErrorInvalidValue, "path is null");
    std::FILE* file = std::fopen(path, "w");
    const std::string text = dot_text(*graph);
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file && std::fclose(file) == 0;
    if (written && closed) return cudaSuccess;
    return refuse(kCall, cudaErrorOperatingSystem, said("the file ", path, " cannot be written"));
  });
}
}

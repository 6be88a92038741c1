// SPDX-License-Identifier: MIT
// Arguments that calls of graphs share. All are used in call(), and refuse in the name of `call`.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu_device/engine/graph.h"
#include "cpu_device/engine/graph_launch.h"

namespace convkit::simt {

cudaError_t refuse_graph(const char* call, const char* argument, const CUgraph_st* graph);
cudaError_t refuse_node(const char* call, const char* argument, const CUgraphNode_st* node);
// The same, and of this type.
cudaError_t refuse_node(const char* call, const char* argument, const CUgraphNode_st* node,
                        cudaGraphNodeType type);
cudaError_t refuse_exec(const char* call, const CUgraphExec_st* exec);
// Edges that are not ordinary; null is an array of ordinary ones.
cudaError_t refuse_edges(const char* call, const cudaGraphEdgeData* edges, size_t count);
// The graph, and nodes of it, each once; `nodes`: these.
cudaError_t refuse_dependencies(const char* call, const CUgraph_st* graph,
                                const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                size_t count, std::vector<CUgraphNode_st*>& nodes);

// An array of so many, valid until the next call in the same host thread.
const cudaGraphEdgeData* ordinary_edges(size_t count);

// The work of a node with these parameters.
cudaError_t kernel_node_work(const char* call, const cudaKernelNodeParams* parameters,
                             const char* file, int line, Work& work);
cudaError_t memcpy_node_work(const char* call, void* to, const void* from, size_t bytes,
                             cudaMemcpyKind kind, Work& work);
cudaError_t memset_node_work(const char* call, const cudaMemsetParams* parameters, Work& work);
cudaError_t host_node_work(const char* call, const cudaHostNodeParams* parameters, Work& work);

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// A graph: nodes with work and edges between them. Handles are the addresses of these structures;
// those of destroyed ones are remembered, so that a call can say what is wrong with its argument.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu_device/engine/work.h"

struct CUgraph_st;

struct CUgraphNode_st {
  CUgraphNode_st(CUgraph_st* its_graph, convkit::simt::Work its_work);
  ~CUgraphNode_st();
  CUgraphNode_st(const CUgraphNode_st&) = delete;
  CUgraphNode_st& operator=(const CUgraphNode_st&) = delete;

  CUgraph_st* graph;
  uint64_t id;  // of the process
  convkit::simt::Work work;
  std::vector<CUgraphNode_st*> after{};  // the nodes that it depends on, each once
  std::unique_ptr<CUgraph_st> child{};   // of a child graph node
  uint64_t original = 0;                 // the id of the node that it was cloned from
  bool enabled = true;                   // in an executable graph
};

struct CUgraph_st {
  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes{};  // in the order in which they were added
  bool capturing = false;                                // a capture adds nodes to it
  bool is_child = false;                                 // of a node, which owns it
};

namespace convkit::simt {

CUgraphNode_st* add_node(CUgraph_st& graph, Work work, const std::vector<CUgraphNode_st*>& after);
// With its edges.
void remove_node(CUgraphNode_st* node);
std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph);
// The node of this graph, or of a child graph in it, that was cloned from the node; or null.
CUgraphNode_st* find_clone(const CUgraph_st& graph, const CUgraphNode_st& original);
// Whether `node` is one of the others, or one of them depends on it.
bool comes_before(const CUgraphNode_st* node, const std::vector<CUgraphNode_st*>& others);

// What is wrong with a handle, "graph has been destroyed", or "".
std::string graph_fault(const char* argument, const CUgraph_st* graph);
std::string node_fault(const char* argument, const CUgraphNode_st* node);

const char* type_text(cudaGraphNodeType type);  // "a memcpy"

// For graphviz.
std::string dot_text(const CUgraph_st& graph);

}  // namespace convkit::simt

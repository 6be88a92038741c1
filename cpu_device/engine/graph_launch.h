// SPDX-License-Identifier: MIT
// Executable graphs, and how they run.
//
// Theory of operation. An executable graph has a copy of its graph and a plan: the nodes in an
// order in which each comes after those that it depends on, child graphs opened up. The plan gives
// each node a lane: a path along edges, so that nodes of one lane are ordered by the graph. The
// first lane is the stream of the launch; each other lane is a stream that the executable graph
// owns, which nobody else sees. Where an edge leads from one lane to another, the second waits as
// for an event. So a launch is nothing new to the queue, and check mode orders its nodes by the
// edges of the graph only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cpu_device/engine/graph.h"
#include "cpu_device/engine/queue.h"

namespace convkit::simt {

struct Step {
  const CUgraphNode_st* node = nullptr;  // null: the end of a child graph
  std::vector<size_t> after{};           // earlier steps
  size_t lane = 0;
  bool awaited = false;  // by a step of another lane
};

// False: the graph has a cycle.
bool plan_steps(const CUgraph_st& graph, std::vector<Step>& steps);

}  // namespace convkit::simt

struct CUgraphExec_st {
  CUgraphExec_st(std::unique_ptr<CUgraph_st> its_graph, std::vector<convkit::simt::Step> its_steps,
                 unsigned long long its_flags);
  ~CUgraphExec_st();
  CUgraphExec_st(const CUgraphExec_st&) = delete;
  CUgraphExec_st& operator=(const CUgraphExec_st&) = delete;

  std::unique_ptr<CUgraph_st> graph;
  std::vector<convkit::simt::Step> steps;
  std::vector<CUstream_st*> lanes{};             // but the first
  std::shared_ptr<convkit::simt::Event> last{};  // the end of the last launch; null before
  unsigned long long flags = 0;
};

namespace convkit::simt {

// Queues the nodes. To be called in the function of the API.
void launch_graph(CUgraphExec_st& exec, CUstream_st* stream);

std::string exec_fault(const char* argument, const CUgraphExec_st* exec);

}  // namespace convkit::simt

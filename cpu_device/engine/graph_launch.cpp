// SPDX-License-Identifier: MIT
#include "cpu_device/engine/graph_launch.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "cpu_device/engine/handles.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt {
namespace {

Handles& execs() {
  static auto* const all = new Handles("executable graph");
  return *all;
}

// The nodes of one graph, each behind those that it depends on, else in the order in which they
// were added. Fewer than there are if there is a cycle.
std::vector<const CUgraphNode_st*> in_order(const CUgraph_st& graph) {
  std::map<const CUgraphNode_st*, size_t> number;
  for (const auto& node : graph.nodes) number.emplace(node.get(), number.size());
  std::vector<std::vector<size_t>> followers(number.size());
  std::vector<size_t> missing(number.size());
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (const auto& node : graph.nodes) {
    const size_t at = number[node.get()];
    missing[at] = node->after.size();
    for (const CUgraphNode_st* before : node->after) followers[number[before]].push_back(at);
    if (node->after.empty()) ready.push(at);
  }
  std::vector<const CUgraphNode_st*> order;
  while (!ready.empty()) {
    const size_t at = ready.top();
    ready.pop();
    order.push_back(graph.nodes[at].get());
    for (const size_t follower : followers[at]) {
      if (--missing[follower] == 0) ready.push(follower);
    }
  }
  return order;
}

// Appends the steps of a graph whose first nodes come after `entry`; `ends`: the steps that nothing
// in the graph comes after.
bool add_steps(const CUgraph_st& graph, const std::vector<size_t>& entry, std::vector<Step>& steps,
               std::vector<size_t>& ends) {
  std::map<const CUgraphNode_st*, size_t> step_of;
  for (const CUgraphNode_st* node : in_order(graph)) {
    std::vector<size_t> after;
    for (const CUgraphNode_st* before : node->after) after.push_back(step_of[before]);
    if (node->after.empty()) after = entry;
    if (node->child) {
      std::vector<size_t> child_ends;
      if (!add_steps(*node->child, after, steps, child_ends)) return false;
      steps.push_back({nullptr, child_ends.empty() ? after : child_ends});
    } else {
      steps.push_back({node, after});
    }
    step_of[node] = steps.size() - 1;
  }
  std::set<const CUgraphNode_st*> followed;
  for (const auto& node : graph.nodes) followed.insert(node->after.begin(), node->after.end());
  for (const auto& [node, step] : step_of) {
    if (followed.count(node) == 0) ends.push_back(step);
  }
  std::sort(ends.begin(), ends.end());
  return step_of.size() == graph.nodes.size();
}

// A step follows one of those that it comes after in its lane, if that is the last there so far.
void give_lanes(std::vector<Step>& steps) {
  constexpr size_t kNone = ~size_t{0};
  std::vector<size_t> last{kNone};  // step of each lane; the first lane begins empty
  for (size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    const auto before = std::find_if(step.after.begin(), step.after.end(), [&](size_t earlier) {
      return last[steps[earlier].lane] == earlier;
    });
    if (before != step.after.end()) {
      step.lane = steps[*before].lane;
    } else if (!step.after.empty() || last[0] != kNone) {
      step.lane = last.size();
      last.push_back(kNone);
    }
    last[step.lane] = i;
    for (const size_t earlier : step.after) {
      if (steps[earlier].lane != step.lane) steps[earlier].awaited = true;
    }
  }
}

void push_step(const CUgraphNode_st& node, CUstream_st* stream,
               const std::shared_ptr<const GraphLaunch>& launch) {
  if (!node.enabled) return;
  const Work& work = node.work;
  std::shared_ptr<Task> task = work.task ? std::make_shared<Task>(*work.task) : nullptr;
  if (task) task->graph = launch;
  if (work.type == cudaGraphNodeTypeEventRecord) {
    queue().record(stream, work.event, std::move(task));
  } else if (work.type == cudaGraphNodeTypeWaitEvent) {
    queue().push_wait(stream, work.event);
  } else if (work.run) {
    queue().push(stream, work.run, std::move(task));
  }
}

}  // namespace

bool plan_steps(const CUgraph_st& graph, std::vector<Step>& steps) {
  std::vector<size_t> ends;
  if (!add_steps(graph, {}, steps, ends)) return false;
  give_lanes(steps);
  return true;
}

void launch_graph(CUgraphExec_st& exec, CUstream_st* stream) {
  std::shared_ptr<GraphLaunch> launch;
  if (check_hooks) {
    launch = std::make_shared<GraphLaunch>(GraphLaunch{check_hooks->call_site(), stream->origin});
  }
  if (exec.last) queue().push_wait(stream, exec.last);
  // Nothing but this operation orders the other lanes with what the stream waits for.
  const auto begin = std::make_shared<Event>();
  if (!exec.lanes.empty()) queue().record(stream, begin, task_of_call("cudaGraphLaunch"));
  const auto lane = [&](size_t i) { return i == 0 ? stream : exec.lanes[i - 1]; };
  for (CUstream_st* other : exec.lanes) queue().push_wait(other, begin);
  std::vector<std::shared_ptr<Event>> reached(exec.steps.size());
  for (size_t i = 0; i < exec.steps.size(); ++i) {
    const Step& step = exec.steps[i];
    for (const size_t earlier : step.after) {
      if (exec.steps[earlier].lane == step.lane) continue;
      queue().push_wait(lane(step.lane), reached[earlier]);
    }
    if (step.node) push_step(*step.node, lane(step.lane), launch);
    if (step.awaited) reached[i] = queue().mark(lane(step.lane));
  }
  for (CUstream_st* other : exec.lanes) queue().push_wait(stream, queue().mark(other));
  exec.last = queue().mark(stream);
}

std::string exec_fault(const char* argument, const CUgraphExec_st* exec) {
  return execs().fault(argument, exec);
}

}  // namespace convkit::simt

using namespace convkit::simt;

CUgraphExec_st::CUgraphExec_st(std::unique_ptr<CUgraph_st> its_graph, std::vector<Step> its_steps,
                               unsigned long long its_flags)
    : graph(std::move(its_graph)), steps(std::move(its_steps)), flags(its_flags) {
  size_t count = 1;
  for (const Step& step : steps) count = std::max(count, step.lane + 1);
  while (lanes.size() + 1 < count) lanes.push_back(queue().create(false, 0));
  execs().add(this);
}

CUgraphExec_st::~CUgraphExec_st() {
  for (CUstream_st* lane : lanes) queue().destroy(lane);
  execs().remove(this);
}

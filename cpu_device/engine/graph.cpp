// SPDX-License-Identifier: MIT
#include "cpu_device/engine/graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cpu_device/engine/handles.h"

namespace convkit::simt {
namespace {

// They outlive the graphs of static objects.
Handles& graphs() {
  static auto* const all = new Handles("graph");
  return *all;
}
Handles& nodes() {
  static auto* const all = new Handles("node");
  return *all;
}

uint64_t g_nodes_made = 0;

// A name in a quoted string.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

void add_dot(const CUgraph_st& graph, const std::string& indent, std::string& text) {
  for (const auto& node : graph.nodes) {
    const std::string name = node->work.name.empty() ? "empty" : escaped(node->work.name);
    text += indent + "node_" + std::to_string(node->id) + " [label=\"" + name + "\"];\n";
    for (const CUgraphNode_st* before : node->after) {
      text += indent + "node_" + std::to_string(before->id) + " -> node_" +
              std::to_string(node->id) + ";\n";
    }
    if (!node->child) continue;
    text += indent + "subgraph cluster_" + std::to_string(node->id) + " {\n";
    add_dot(*node->child, indent + "  ", text);
    text += indent + "}\n";
  }
}

}  // namespace

CUgraphNode_st* add_node(CUgraph_st& graph, Work work, const std::vector<CUgraphNode_st*>& after) {
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>(&graph, std::move(work)));
  graph.nodes.back()->after = after;
  return graph.nodes.back().get();
}

void remove_node(CUgraphNode_st* node) {
  CUgraph_st& graph = *node->graph;
  for (const auto& other : graph.nodes) std::erase(other->after, node);
  std::erase_if(graph.nodes, [&](const auto& one) { return one.get() == node; });
}

std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto result = std::make_unique<CUgraph_st>();
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : graph.nodes) {
    CUgraphNode_st* copy = add_node(*result, node->work, {});
    copy->original = node->id;
    copy->enabled = node->enabled;
    copies[node.get()] = copy;
    if (!node->child) continue;
    copy->child = clone(*node->child);
    copy->child->is_child = true;
  }
  for (const auto& node : graph.nodes) {
    for (const CUgraphNode_st* before : node->after) {
      copies[node.get()]->after.push_back(copies[before]);
    }
  }
  return result;
}

CUgraphNode_st* find_clone(const CUgraph_st& graph, const CUgraphNode_st& original) {
  for (const auto& node : graph.nodes) {
    if (node->original == original.id) return node.get();
    CUgraphNode_st* inside = node->child ? find_clone(*node->child, original) : nullptr;
    if (inside) return inside;
  }
  return nullptr;
}

bool comes_before(const CUgraphNode_st* node, const std::vector<CUgraphNode_st*>& others) {
  std::set<const CUgraphNode_st*> seen;
  std::vector<const CUgraphNode_st*> left(others.begin(), others.end());
  while (!left.empty()) {
    const CUgraphNode_st* other = left.back();
    left.pop_back();
    if (other == node) return true;
    if (!seen.insert(other).second) continue;
    left.insert(left.end(), other->after.begin(), other->after.end());
  }
  return false;
}

std::string graph_fault(const char* argument, const CUgraph_st* graph) {
  return graphs().fault(argument, graph);
}

std::string node_fault(const char* argument, const CUgraphNode_st* node) {
  return nodes().fault(argument, node);
}

const char* type_text(cudaGraphNodeType type) {
  constexpr const char* kTexts[] = {"a kernel",      "a memcpy",       "a memset",
                                    "a host",        "a child graph",  "an empty",
                                    "an event wait", "an event record"};
  return kTexts[type];
}

std::string dot_text(const CUgraph_st& graph) {
  std::string text = "digraph dot {\n";
  add_dot(graph, "  ", text);
  return text + "}\n";
}

}  // namespace convkit::simt

using namespace convkit::simt;

CUgraphNode_st::CUgraphNode_st(CUgraph_st* its_graph, Work its_work)
    : graph(its_graph), id(++g_nodes_made), work(std::move(its_work)) {
  nodes().add(this);
}
CUgraphNode_st::~CUgraphNode_st() {
  nodes().remove(this);
}

CUgraph_st::CUgraph_st() {
  graphs().add(this);
}
CUgraph_st::~CUgraph_st() {
  graphs().remove(this);
}

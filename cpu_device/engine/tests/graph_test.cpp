// SPDX-License-Identifier: MIT
// How an executable graph is planned and run, and what calls of graphs and captures refuse.
#include "cpu_device/engine/graph_launch.h"

#include <string>

#include "catch.h"
#include "refused_text.h"
#include "simt/runtime_api.h"

namespace convkit::simt {

using test::why;
namespace {

Work letter(std::string& ran, char which) {
  Work work{cudaGraphNodeTypeHost, std::string(1, which)};
  work.run = [&ran, which] { ran += which; };
  return work;
}

std::vector<size_t> lanes_of(const std::vector<Step>& steps) {
  std::vector<size_t> lanes;
  for (const Step& step : steps) lanes.push_back(step.lane);
  return lanes;
}

// a, then b and c, then d.
struct Diamond {
  std::string ran;
  CUgraph_st graph;
  CUgraphNode_st* d = add_node(graph, letter(ran, 'd'), {});
  CUgraphNode_st* a = add_node(graph, letter(ran, 'a'), {});
  CUgraphNode_st* b = add_node(graph, letter(ran, 'b'), {a});
  CUgraphNode_st* c = add_node(graph, letter(ran, 'c'), {a});
  Diamond() { d->after = {b, c}; }
};

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  return stream;
}

}  // namespace

TEST_CASE("a path of a graph has one lane, and each further branch has its own") {
  Diamond diamond;
  std::vector<Step> steps;
  REQUIRE(plan_steps(diamond.graph, steps));
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].node == diamond.a);
  CHECK(steps[3].node == diamond.d);
  CHECK(lanes_of(steps) == std::vector<size_t>{0, 0, 1, 0});
  CHECK(steps[0].awaited);  // by the second branch
  CHECK_FALSE(steps[1].awaited);
  CHECK(steps[2].awaited);  // where the branches meet
}

TEST_CASE("nodes that no edge orders have lanes of their own") {
  std::string ran;
  CUgraph_st graph;
  CUgraphNode_st* a = add_node(graph, letter(ran, 'a'), {});
  add_node(graph, letter(ran, 'b'), {});
  add_node(graph, letter(ran, 'c'), {a});
  std::vector<Step> steps;
  REQUIRE(plan_steps(graph, steps));
  CHECK(lanes_of(steps) == std::vector<size_t>{0, 1, 0});
}

TEST_CASE("a child graph begins behind what its node depends on, and ends before what follows") {
  Diamond inner;
  std::string ran;
  CUgraph_st graph;
  CUgraphNode_st* first = add_node(graph, letter(ran, '1'), {});
  CUgraphNode_st* child = add_node(graph, Work{cudaGraphNodeTypeGraph}, {first});
  child->child = clone(inner.graph);
  add_node(graph, letter(ran, '2'), {child});
  std::vector<Step> steps;
  REQUIRE(plan_steps(graph, steps));
  REQUIRE(steps.size() == 7);
  CHECK(steps[1].after == std::vector<size_t>{0});
  CHECK(steps[5].node == nullptr);  // the child's end
  CHECK(steps[5].after == std::vector<size_t>{4});
  CHECK(steps[6].after == std::vector<size_t>{5});
}

TEST_CASE("an empty child graph orders what is around it") {
  std::string ran;
  CUgraph_st graph;
  CUgraphNode_st* first = add_node(graph, letter(ran, '1'), {});
  CUgraphNode_st* child = add_node(graph, Work{cudaGraphNodeTypeGraph}, {first});
  child->child = std::make_unique<CUgraph_st>();
  add_node(graph, letter(ran, '2'), {child});
  std::vector<Step> steps;
  REQUIRE(plan_steps(graph, steps));
  CHECK(steps[1].after == std::vector<size_t>{0});
  CHECK(steps[2].after == std::vector<size_t>{1});
}

TEST_CASE("a launch runs nothing until somebody waits, and then each node once") {
  Diamond diamond;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, &diamond.graph, 0) == cudaSuccess);
  const cudaStream_t stream = new_stream();
  REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
  CHECK(diamond.ran.empty());
  REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK((diamond.ran == "abcdabcd" || diamond.ran == "acbdacbd"));
  CHECK(queue().unjoined_work() == 0);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("work of the default stream runs before a graph that a blocking stream launches later") {
  Diamond diamond;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, &diamond.graph, 0) == cudaSuccess);
  const cudaStream_t stream = new_stream();
  queue().push(queue().resolve(nullptr), [&] { diamond.ran += '1'; });
  REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
  queue().push(queue().resolve(nullptr), [&] { diamond.ran += '2'; });
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  REQUIRE(diamond.ran.size() == 6);
  CHECK(diamond.ran.front() == '1');
  CHECK(diamond.ran.back() == '2');
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a graph of many nodes, which need more room than the queue has, runs in its order") {
  std::string ran;
  CUgraph_st graph;
  for (int chain = 0; chain < 3; ++chain) {
    CUgraphNode_st* last = nullptr;
    for (int i = 0; i < 900; ++i) {
      std::vector<CUgraphNode_st*> after;
      if (last) after = {last};
      last = add_node(graph, letter(ran, static_cast<char>('a' + chain)), after);
    }
  }
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, &graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK_FALSE(ran.empty());  // it made room
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(ran.size() == 2700);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE("calls say what is wrong with a graph, a node or an executable graph") {
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, elsewhere = nullptr;
  cudaGraphExec_t exec = nullptr;
  size_t count = 0;
  CHECK(why(cudaGraphCreate(&graph, 1)) == "cudaGraphCreate: flags is 1; it must be 0.");
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&a, graph, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&b, graph, &a, 1) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&elsewhere, other, nullptr, 0) == cudaSuccess);
  CHECK(why(cudaGraphAddEmptyNode(&b, graph, &elsewhere, 1)) ==
        "cudaGraphAddEmptyNode: pDependencies[0] is a node of another graph.");
  CHECK(why(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1)) ==
        "cudaGraphAddDependencies: the edge from[0] to to[0] is there already.");
  CHECK(why(cudaGraphMemsetNodeSetParams(a, nullptr)) ==
        "cudaGraphMemsetNodeSetParams: node is an empty node, and the call is for a memset node.");
  REQUIRE(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1) == cudaSuccess);
  CHECK(why(cudaGraphInstantiate(&exec, graph, 0)) ==
        "cudaGraphInstantiate: the edges of graph make a cycle: some node comes after itself.");
  REQUIRE(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(why(cudaGraphNodeSetEnabled(exec, elsewhere, 0)) ==
        "cudaGraphNodeSetEnabled: node is not of the graph that graphExec was instantiated from.");
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(why(cudaGraphGetNodes(graph, nullptr, &count)) ==
        "cudaGraphGetNodes: graph has been destroyed.");
  CHECK(why(cudaGraphDestroyNode(a)) == "cudaGraphDestroyNode: node has been destroyed.");
  REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(why(cudaGraphLaunch(exec, nullptr)) == "cudaGraphLaunch: graphExec has been destroyed.");
  CHECK(why(cudaGraphLaunch(nullptr, nullptr)) == "cudaGraphLaunch: graphExec is null.");
  CHECK(cudaGraphDestroy(other) == cudaSuccess);
}

TEST_CASE("a kernel node needs a kernel whose type is known") {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaKernelNodeParams params = {};
  CHECK(why(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params),
            cudaErrorInvalidDeviceFunction) == "cudaGraphAddKernelNode: func is null.");
  int no_kernel = 0;
  params.func = &no_kernel;
  CHECK(why(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params),
            cudaErrorInvalidDeviceFunction) ==
        "cudaGraphAddKernelNode: func is no kernel whose parameters are known; write func = "
        "(void*)kernel.");
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("what a capture cannot hold is refused, and makes it invalid") {
  const cudaStream_t stream = new_stream();
  cudaGraph_t graph = nullptr;
  void* memory = nullptr;
  CHECK(why(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed),
            cudaErrorStreamCaptureUnsupported) ==
        "cudaStreamBeginCapture: the default stream cannot be captured; create a stream.");
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(why(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState) ==
        "cudaStreamBeginCapture: the stream is being captured already.");
  CHECK(why(convkit_simt_malloc(&memory, 64), cudaErrorStreamCaptureUnsupported) ==
        "cudaMalloc: a stream is being captured, and a graph cannot hold what this call does; call "
        "it before cudaStreamBeginCapture().");
  CHECK(why(cudaLaunchHostFunc(
                stream, [](void*) {}, nullptr),
            cudaErrorStreamCaptureInvalidated) ==
        "cudaLaunchHostFunc: an earlier call made the capture of the stream invalid; end it with "
        "cudaStreamEndCapture().");
  CHECK(why(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated) ==
        "cudaStreamEndCapture: an earlier call made the capture invalid; look at the errors of the "
        "calls between begin and end.");
  CHECK(graph == nullptr);
  CHECK(why(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState) ==
        "cudaStreamEndCapture: the stream is not being captured.");
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(why(convkit_simt_malloc_async(&memory, 64, nullptr, stream),
            cudaErrorStreamCaptureUnsupported) ==
        "cudaMallocAsync: the stream is being captured, and graphs cannot allocate or free memory "
        "on the CPU device; allocate it before the capture.");
  CHECK(why(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated) != "");
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("the default stream waits for no blocking stream that is being captured") {
  const cudaStream_t stream = new_stream();
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  const std::string reason =
      "a blocking stream is being captured, and the default stream would have to wait for it.";
  CHECK(why(cudaStreamIsCapturing(nullptr, &status), cudaErrorStreamCaptureImplicit) ==
        "cudaStreamIsCapturing: " + reason);
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);  // a question does no harm
  CHECK(why(cudaLaunchHostFunc(
                nullptr, [](void*) {}, nullptr),
            cudaErrorStreamCaptureImplicit) == "cudaLaunchHostFunc: " + reason);
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusInvalidated);
  CHECK(why(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated) != "");
  CHECK(cudaLaunchHostFunc(
            nullptr, [](void*) {}, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a graph is printed with its nodes and edges") {
  Diamond diamond;
  const auto name = [](const CUgraphNode_st* node) { return "node_" + std::to_string(node->id); };
  const std::string text = dot_text(diamond.graph);
  CHECK(text.find("digraph dot {\n") == 0);
  CHECK(text.find(name(diamond.a) + " [label=\"a\"];") != std::string::npos);
  CHECK(text.find(name(diamond.c) + " -> " + name(diamond.d) + ";") != std::string::npos);
  CHECK(text.find(name(diamond.a) + " -> " + name(diamond.d) + ";") == std::string::npos);
}

}  // namespace convkit::simt

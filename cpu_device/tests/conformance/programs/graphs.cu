// SPDX-License-Identifier: MIT
// CUDA graphs: captured from streams and built of nodes, launched again and again, and changed.
#include <algorithm>
#include <string>
#include <thread>

#include "../check.h"
#include "../parts.h"

// Kernels and arrays that the parts share.

__global__ void add_kernel(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

__global__ void scale_kernel(int* x, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

__global__ void sum_kernel(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamDefault) {
    CHECK(cudaStreamCreateWithFlags(&stream_, flags));
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// Pinned host memory.
class Pinned {
 public:
  explicit Pinned(int size) : size_(size) {
    CHECK(cudaMallocHost(&data_, size * sizeof(int)));
    std::fill(data_, data_ + size, 0);
  }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  int* data() const { return data_; }
  int& operator[](int i) const { return data_[i]; }
  size_t bytes() const { return size_ * sizeof(int); }

 private:
  int* data_ = nullptr;
  int size_;
};

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

void launch_and_wait(cudaGraphExec_t exec, const Stream& stream) {
  CHECK(cudaGraphLaunch(exec, stream));
  stream.wait();
}

void show_size(cudaGraph_t graph) {
  size_t nodes = 0, roots = 0, edges = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  show("nodes, roots, edges", nodes, roots, edges);
}

// The name of the error, which is not remembered.
const char* name_of(cudaError_t error) {
  cudaGetLastError();
  return cudaGetErrorName(error);
}

// A kernel node of add_kernel or scale_kernel.
cudaKernelNodeParams kernel_params(void* kernel, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = kernel;
  params.gridDim = dim3(2);
  params.blockDim = dim3(4);
  params.kernelParams = arguments;
  return params;
}

// What a stream is given while it is captured does not run; each launch of the graph runs it. The
// arguments are those of the capture.
namespace captured_stream {

PART(captured_stream) {
  const int n = 6;
  const Stream stream;
  const Pinned in(n), out(n);
  const DeviceArray<int> x(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus before, during, after;
  CHECK(cudaStreamIsCapturing(stream, &before));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamIsCapturing(stream, &during));
  int value = 10;
  CHECK(cudaMemcpyAsync(x.data(), in.data(), in.bytes(), cudaMemcpyHostToDevice, stream));
  add_kernel<<<2, 4, 0, stream>>>(x.data(), n, value);
  value = 1000;
  scale_kernel<<<2, 4, 0, stream>>>(x.data(), n, 2);
  CHECK(cudaMemcpyAsync(out.data(), x.data(), out.bytes(), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaStreamIsCapturing(stream, &after));
  show("status", static_cast<int>(before), static_cast<int>(during), static_cast<int>(after));
  stream.wait();
  show("before a launch", out[0], out[5]);
  show_size(graph);
  const cudaGraphExec_t exec = instantiate(graph);
  CHECK(cudaGraphDestroy(graph));
  for (int launch = 0; launch < 3; ++launch) {
    in[5] = 5 + launch;
    launch_and_wait(exec, stream);
    show("after a launch", out[0], out[5]);
  }
  CHECK(cudaGraphExecDestroy(exec));
}

}  // namespace captured_stream

/* Prints:
status: 0 1 0
before a launch: 0 0
nodes, roots, edges: 4 1 3
after a launch: 20 30
after a launch: 20 32
after a launch: 20 34
*/

// A second stream joins the capture by an event, and the first waits for it at the end.
namespace captured_fork {

PART(captured_fork) {
  const int n = 8;
  const Stream first, second(cudaStreamNonBlocking);
  const Event fork, join;
  const DeviceArray<int> a(n), b(n), out(n);
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status, other;
  unsigned long long id = 0, other_id = 0;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemsetAsync(a.data(), 0, n * sizeof(int), first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add_kernel<<<2, 4, 0, first>>>(a.data(), n, 3);
  add_kernel<<<2, 4, 0, second>>>(b.data(), n, 40);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  CHECK(cudaStreamGetCaptureInfo(first, &status, &id));
  CHECK(cudaStreamGetCaptureInfo(second, &other, &other_id));
  sum_kernel<<<2, 4, 0, first>>>(a.data(), b.data(), out.data(), n);
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaGetLastError());
  expect("one capture",
         status == cudaStreamCaptureStatusActive && other == status && id == other_id);
  show_size(graph);
  const cudaGraphExec_t exec = instantiate(graph);
  for (int launch = 0; launch < 3; ++launch) {
    launch_and_wait(exec, first);
    show("sum", out.host()[7]);
  }
  // The streams are ordinary ones again.
  add_kernel<<<2, 4, 0, second>>>(out.data(), n, 1);
  second.wait();
  show("outside of the graph", out.host()[7]);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace captured_fork

/* Prints:
one capture: ok
nodes, roots, edges: 4 1 4
sum: 43
sum: 83
sum: 123
outside of the graph: 124
*/

// The nodes that a capture has reached, and a capture that goes on in a graph which is there.
namespace capture_info {

PART(capture_info) {
  const int n = 8;
  const Stream stream;
  const DeviceArray<int> x(n);
  CHECK(cudaDeviceSynchronize());
  cudaStreamCaptureStatus status;
  cudaGraph_t graph = nullptr, ended = nullptr;
  const cudaGraphNode_t* reached = nullptr;
  size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(stream, &status));
  show("status", static_cast<int>(status));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  add_kernel<<<2, 4, 0, stream>>>(x.data(), n, 1);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &reached, nullptr, &count));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(reached[0], &type));
  show("status, reached, type", static_cast<int>(status), count, static_cast<int>(type));
  // A node of the program's own, which the next captured one follows.
  cudaGraphNode_t own = nullptr;
  CHECK(cudaGraphAddEmptyNode(&own, graph, reached, count));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1,
                                            cudaStreamSetCaptureDependencies));
  add_kernel<<<2, 4, 0, stream>>>(x.data(), n, 10);
  CHECK(cudaStreamEndCapture(stream, &ended));
  expect("the same graph", graph == ended);
  show_size(graph);
  CHECK(
      cudaStreamBeginCaptureToGraph(stream, graph, &own, nullptr, 1, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(x.data(), 0, sizeof(int), stream));
  CHECK(cudaStreamEndCapture(stream, &ended));
  expect("the same graph", graph == ended);
  show_size(graph);
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace capture_info

/* Prints:
status: 0
status, reached, type: 1 1 0
the same graph: ok
nodes, roots, edges: 3 1 2
the same graph: ok
nodes, roots, edges: 4 1 3
*/

// What must not happen while a stream is captured makes the capture invalid.
namespace capture_refuses {

// Begins a capture, makes the call, and tells its error and that of the end.
template <class Call>
void during_capture(const char* what, const Stream& stream, cudaStreamCaptureMode mode,
                    const Call& call) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, mode));
  const char* error = name_of(call());
  const char* end = name_of(cudaStreamEndCapture(stream, &graph));
  show(what, error, end, graph == nullptr ? "no graph" : "a graph");
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph));
}

PART(capture_refuses) {
  const Stream stream, other;
  const Event event, outside;
  const DeviceArray<int> x(8);
  int* memory = nullptr;
  CHECK(cudaEventRecord(outside, other));
  CHECK(cudaDeviceSynchronize());
  const auto allocate = [&] { return cudaMalloc(&memory, 64); };
  during_capture("malloc, global", stream, cudaStreamCaptureModeGlobal, allocate);
  during_capture("malloc, thread", stream, cudaStreamCaptureModeThreadLocal, allocate);
  during_capture("malloc, relaxed", stream, cudaStreamCaptureModeRelaxed, allocate);
  CHECK(cudaFree(memory));
  during_capture("malloc in a relaxed thread", stream, cudaStreamCaptureModeGlobal, [&] {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    const cudaError_t error = allocate();
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    show("mode", static_cast<int>(mode));
    return error;
  });
  CHECK(cudaFree(memory));
  during_capture("synchronise the stream", stream, cudaStreamCaptureModeRelaxed,
                 [&] { return cudaStreamSynchronize(stream); });
  during_capture("query the stream", stream, cudaStreamCaptureModeRelaxed,
                 [&] { return cudaStreamQuery(stream); });
  during_capture("synchronise the device", stream, cudaStreamCaptureModeRelaxed,
                 [] { return cudaDeviceSynchronize(); });
  during_capture("query an event", stream, cudaStreamCaptureModeRelaxed, [&] {
    CHECK(cudaEventRecord(event, stream));
    return cudaEventQuery(event);
  });
  during_capture("default stream", stream, cudaStreamCaptureModeRelaxed, [&] {
    add_kernel<<<1, 8>>>(x.data(), 8, 1);
    return cudaGetLastError();
  });
  during_capture("wait for work outside", stream, cudaStreamCaptureModeRelaxed,
                 [&] { return cudaStreamWaitEvent(stream, outside, 0); });
  during_capture("no harm", stream, cudaStreamCaptureModeGlobal, [&] {
    add_kernel<<<1, 8, 0, stream>>>(x.data(), 8, 1);
    return cudaGetLastError();
  });
}

}  // namespace capture_refuses

/* Prints:
malloc, global: cudaErrorStreamCaptureUnsupported cudaErrorStreamCaptureInvalidated no graph
malloc, thread: cudaErrorStreamCaptureUnsupported cudaErrorStreamCaptureInvalidated no graph
malloc, relaxed: cudaSuccess cudaSuccess a graph
mode: 2
malloc in a relaxed thread: cudaSuccess cudaSuccess a graph
synchronise the stream: cudaErrorStreamCaptureUnsupported cudaErrorStreamCaptureInvalidated no graph
query the stream: cudaErrorStreamCaptureUnsupported cudaErrorStreamCaptureInvalidated no graph
synchronise the device: cudaErrorStreamCaptureUnsupported cudaErrorStreamCaptureInvalidated no graph
query an event: cudaErrorCapturedEvent cudaErrorStreamCaptureInvalidated no graph
default stream: cudaErrorStreamCaptureImplicit cudaErrorStreamCaptureInvalidated no graph
wait for work outside: cudaErrorStreamCaptureIsolation cudaErrorStreamCaptureInvalidated no graph
no harm: cudaSuccess cudaSuccess a graph
*/

// How a capture must end.
namespace capture_ends {

PART(capture_ends) {
  const Stream first, second, third;
  const Event fork, other_fork;
  const DeviceArray<int> x(8);
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status;
  expect("the default stream is not captured",
         cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) != cudaSuccess);
  cudaGetLastError();

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add_kernel<<<1, 8, 0, second>>>(x.data(), 8, 1);
  show("in the other stream", name_of(cudaStreamEndCapture(second, &graph)));
  show("then in its own", name_of(cudaStreamEndCapture(first, &graph)));
  CHECK(cudaStreamIsCapturing(first, &status));
  show("status", static_cast<int>(status));

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add_kernel<<<1, 8, 0, second>>>(x.data(), 8, 1);
  show("unjoined", name_of(cudaStreamEndCapture(first, &graph)));

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamBeginCapture(third, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(other_fork, third));
  show("merge", name_of(cudaStreamWaitEvent(first, other_fork, 0)));
  name_of(cudaStreamEndCapture(first, &graph));
  name_of(cudaStreamEndCapture(third, &graph));

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  cudaError_t error = cudaSuccess;
  std::thread([&] { error = cudaStreamEndCapture(first, &graph); }).join();
  show("in another thread", cudaGetErrorName(error));
  show("then in its own", name_of(cudaStreamEndCapture(first, &graph)));

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  std::thread([&] { error = cudaStreamEndCapture(first, &graph); }).join();
  show("relaxed, in another thread", cudaGetErrorName(error));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace capture_ends

/* Prints:
the default stream is not captured: ok
in the other stream: cudaErrorStreamCaptureUnmatched
then in its own: cudaErrorStreamCaptureInvalidated
status: 0
unjoined: cudaErrorStreamCaptureUnjoined
merge: cudaErrorStreamCaptureMerge
in another thread: cudaErrorStreamCaptureWrongThread
then in its own: cudaErrorIllegalState
relaxed, in another thread: cudaSuccess
*/

// A graph of nodes of all kinds. Its edges order them, not the order in which they were added.
namespace built_graph {

void CUDART_CB count_up(void* counter) {
  ++*static_cast<int*>(counter);
}

PART(built_graph) {
  const int n = 6;
  const Stream stream;
  const Pinned in(n), out(n);
  const DeviceArray<int> x(n), y(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));

  // Back: out = y.
  cudaGraphNode_t back, host, sum, fill, copy, scale, both;
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, nullptr, 0, out.data(), y.data(), out.bytes(),
                                 cudaMemcpyDeviceToHost));
  int launches = 0;
  cudaHostNodeParams host_params = {};
  host_params.fn = count_up;
  host_params.userData = &launches;
  CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &host_params));
  // y = x + y, behind both branches.
  CHECK(cudaGraphAddEmptyNode(&both, graph, nullptr, 0));
  int* d_x = x.data();
  int* d_y = y.data();
  int size = n, factor = 3;
  void* sum_arguments[] = {&d_x, &d_y, &d_y, &size};
  const cudaKernelNodeParams sum_params = kernel_params((void*)sum_kernel, sum_arguments);
  CHECK(cudaGraphAddKernelNode(&sum, graph, &both, 1, &sum_params));
  CHECK(cudaGraphAddDependencies(graph, &sum, &back, nullptr, 1));
  // The branches: y = 256 and x = 3 * in.
  cudaMemsetParams memset_params = {};
  memset_params.dst = y.data();
  memset_params.value = 256;
  memset_params.elementSize = 4;
  memset_params.width = n;
  memset_params.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset_params));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, x.data(), in.data(), in.bytes(),
                                 cudaMemcpyHostToDevice));
  void* scale_arguments[] = {&d_x, &size, &factor};
  const cudaKernelNodeParams scale_params = kernel_params((void*)scale_kernel, scale_arguments);
  CHECK(cudaGraphAddKernelNode(&scale, graph, &copy, 1, &scale_params));
  const cudaGraphNode_t from[] = {fill, scale}, to[] = {both, both};
  CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 2));
  // The arguments were copied.
  d_x = d_y = nullptr;
  factor = 100;

  show_size(graph);
  size_t count = 0;
  CHECK(cudaGraphNodeGetDependencies(both, nullptr, nullptr, &count));
  show("before both", count);
  CHECK(cudaGraphNodeGetDependentNodes(both, nullptr, nullptr, &count));
  show("behind both", count);
  for (const cudaGraphNode_t node : {scale, copy, fill, host, both}) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    show("type", static_cast<int>(type));
  }
  const cudaGraphExec_t exec = instantiate(graph);
  CHECK(cudaGraphUpload(exec, stream));
  for (int launch = 0; launch < 2; ++launch) {
    in[1] += launch;
    launch_and_wait(exec, stream);
    show("out", out[0], out[1], out[5]);
  }
  show("launches", launches);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace built_graph

/* Prints:
nodes, roots, edges: 7 2 6
before both: 2
behind both: 1
type: 0
type: 1
type: 2
type: 3
type: 5
out: 256 259 271
out: 256 262 271
launches: 2
*/

// Edges that may not be, and nodes that are taken away.
namespace edges {

PART(edges) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t a, b, c;
  CHECK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  CHECK(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  CHECK(cudaGraphAddEmptyNode(&c, graph, &b, 1));
  show("twice", name_of(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1)));
  CHECK(cudaGraphRemoveDependencies(graph, &b, &c, nullptr, 1));
  show("not there", name_of(cudaGraphRemoveDependencies(graph, &b, &c, nullptr, 1)));
  const cudaGraphNode_t both[] = {a, b};
  CHECK(
      cudaGraphAddDependencies(graph, both, std::vector<cudaGraphNode_t>{c, c}.data(), nullptr, 2));
  show_size(graph);
  cudaGraphNode_t from[3] = {}, to[3] = {};
  size_t count = 3;
  CHECK(cudaGraphGetEdges(graph, from, to, nullptr, &count));
  int found = 0;
  for (size_t i = 0; i < count; ++i) {
    found += (from[i] == a && to[i] == b) || (to[i] == c && (from[i] == a || from[i] == b));
  }
  show("edges", count, found);
  CHECK(cudaGraphDestroyNode(b));
  show_size(graph);
  cudaGraphNode_t nodes[3] = {};
  count = 3;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  expect("the others", count == 2 && std::count(nodes, nodes + 2, a) == 1 &&
                           std::count(nodes, nodes + 2, c) == 1 && nodes[2] == nullptr);
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace edges

/* Prints:
twice: cudaErrorInvalidValue
not there: cudaErrorInvalidValue
nodes, roots, edges: 3 1 3
edges: 3 3
nodes, roots, edges: 2 1 1
the others: ok
*/

// Nodes of an executable graph get other parameters, and can be turned off.
namespace changed_nodes {

void CUDART_CB note(void* text) {
  std::printf("host: %s\n", static_cast<const char*>(text));
}

PART(changed_nodes) {
  const int n = 6;
  const Stream stream;
  const Pinned in(n), other(n), out(n);
  const DeviceArray<int> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    in[i] = i;
    other[i] = 10 * i;
  }
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, copy, kernel, back, host;
  cudaMemsetParams memset_params = {};
  memset_params.dst = y.data();
  memset_params.elementSize = 1;
  memset_params.width = n * sizeof(int);
  memset_params.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset_params));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, x.data(), in.data(), in.bytes(),
                                 cudaMemcpyHostToDevice));
  int* d_x = x.data();
  int size = n, value = 1;
  void* arguments[] = {&d_x, &size, &value};
  cudaKernelNodeParams params = {};
  params.func = (void*)add_kernel;
  params.gridDim = dim3(2);
  params.blockDim = dim3(4);
  params.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &copy, 1, &params));
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, out.data(), x.data(), out.bytes(),
                                 cudaMemcpyDeviceToHost));
  char first[] = "first", second[] = "second";
  cudaHostNodeParams host_params = {};
  host_params.fn = note;
  host_params.userData = first;
  CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &host_params));
  const cudaGraphExec_t exec = instantiate(graph);
  const auto run = [&] {
    launch_and_wait(exec, stream);
    show("out", out[0], out[5]);
  };
  run();
  value = 7;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  run();
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, x.data(), other.data(), other.bytes(),
                                           cudaMemcpyHostToDevice));
  run();
  memset_params.value = 1;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &memset_params));
  host_params.userData = second;
  CHECK(cudaGraphExecHostNodeSetParams(exec, host, &host_params));
  run();
  show("filled", y.host()[0]);
  CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
  unsigned enabled = 1;
  CHECK(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
  show("enabled", enabled);
  run();
  // Another kernel in the graph: executable graphs that are there stay as they are.
  params.func = (void*)scale_kernel;
  CHECK(cudaGraphKernelNodeSetParams(kernel, &params));
  CHECK(cudaGraphNodeSetEnabled(exec, kernel, 1));
  run();
  const cudaGraphExec_t later = instantiate(graph);
  launch_and_wait(later, stream);
  show("later", out[0], out[5]);
  CHECK(cudaGraphExecDestroy(later));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace changed_nodes

/* Prints:
host: first
out: 1 6
host: first
out: 7 12
host: first
out: 7 57
host: second
out: 7 57
filled: 16843009
enabled: 0
host: second
out: 0 50
host: second
out: 7 57
host: first
later: 0 35
*/

// An executable graph takes over the parameters of another graph, if it has the same nodes and
// edges.
namespace updated_graph {

enum class Shape { kernels, longer, other_type };

cudaGraph_t capture(const Stream& stream, int* d_x, int n, int value, Shape shape) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_kernel<<<2, 4, 0, stream>>>(d_x, n, value);
  if (shape == Shape::other_type) {
    CHECK(cudaMemsetAsync(d_x, 0, n * sizeof(int), stream));
  } else {
    scale_kernel<<<2, 4, 0, stream>>>(d_x, n, value);
  }
  if (shape == Shape::longer) add_kernel<<<2, 4, 0, stream>>>(d_x, n, 1);
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

PART(updated_graph) {
  const int n = 8;
  const Stream stream;
  const DeviceArray<int> x(n);
  CHECK(cudaDeviceSynchronize());
  const cudaGraph_t graph = capture(stream, x.data(), n, 2, Shape::kernels);
  const cudaGraphExec_t exec = instantiate(graph);
  CHECK(cudaGraphDestroy(graph));
  launch_and_wait(exec, stream);
  show("x", x.host()[3]);
  for (const Shape shape : {Shape::kernels, Shape::longer, Shape::other_type}) {
    const cudaGraph_t other = capture(stream, x.data(), n, 3, shape);
    cudaGraphExecUpdateResultInfo info = {};
    show("update", name_of(cudaGraphExecUpdate(exec, other, &info)));
    show("result", static_cast<int>(info.result));
    CHECK(cudaGraphDestroy(other));
    launch_and_wait(exec, stream);
    show("x", x.host()[3]);
  }
  CHECK(cudaGraphExecDestroy(exec));
}

}  // namespace updated_graph

/* Prints:
x: 4
update: cudaSuccess
result: 0
x: 21
update: cudaErrorGraphExecUpdateFailure
result: 2
x: 72
update: cudaErrorGraphExecUpdateFailure
result: 3
x: 225
*/

// Graphs in graphs, and copies of graphs.
namespace child_graphs {

PART(child_graphs) {
  const int n = 8;
  const Stream stream;
  const DeviceArray<int> x(n);
  CHECK(cudaDeviceSynchronize());
  // The child: x = (x + 1) * 2.
  cudaGraph_t child = nullptr, graph = nullptr, copy = nullptr, embedded = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_kernel<<<2, 4, 0, stream>>>(x.data(), n, 1);
  scale_kernel<<<2, 4, 0, stream>>>(x.data(), n, 2);
  CHECK(cudaStreamEndCapture(stream, &child));
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first, second, last, in_copy;
  CHECK(cudaGraphAddChildGraphNode(&first, graph, nullptr, 0, child));
  CHECK(cudaGraphAddChildGraphNode(&second, graph, &first, 1, child));
  int* d_x = x.data();
  int size = n, value = 100;
  void* arguments[] = {&d_x, &size, &value};
  const cudaKernelNodeParams params = kernel_params((void*)add_kernel, arguments);
  CHECK(cudaGraphAddKernelNode(&last, graph, &second, 1, &params));
  CHECK(cudaGraphDestroy(child));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(second, &type));
  show("type", static_cast<int>(type));
  CHECK(cudaGraphChildGraphNodeGetGraph(second, &embedded));
  show_size(embedded);
  // The copy loses its last node; the graph keeps it.
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphNodeFindInClone(&in_copy, last, copy));
  CHECK(cudaGraphDestroyNode(in_copy));
  show_size(graph);
  show_size(copy);
  const cudaGraphExec_t exec = instantiate(graph), shorter = instantiate(copy);
  launch_and_wait(exec, stream);
  show("x", x.host()[5]);
  launch_and_wait(shorter, stream);
  show("x", x.host()[5]);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(shorter));
  CHECK(cudaGraphDestroy(copy));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace child_graphs

/* Prints:
type: 4
nodes, roots, edges: 2 1 1
nodes, roots, edges: 3 1 2
nodes, roots, edges: 2 1 1
x: 106
x: 430
*/

// A graph cannot be launched in a stream that is being captured.
namespace captured_launch {

PART(captured_launch) {
  const int n = 8;
  const Stream stream;
  const DeviceArray<int> x(n);
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t inner = nullptr, none = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_kernel<<<2, 4, 0, stream>>>(x.data(), n, 1);
  CHECK(cudaStreamEndCapture(stream, &inner));
  const cudaGraphExec_t small = instantiate(inner);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  show("captured", name_of(cudaGraphLaunch(small, stream)));
  name_of(cudaStreamEndCapture(stream, &none));
  launch_and_wait(small, stream);
  show("x", x.host()[0]);
  CHECK(cudaGraphExecDestroy(small));
  CHECK(cudaGraphDestroy(inner));
}

}  // namespace captured_launch

/* Prints:
captured: cudaErrorStreamCaptureUnsupported
x: 1
*/

// Nodes that record an event and wait for one: of a graph's launch and a stream outside of it.
namespace event_nodes {

PART(event_nodes) {
  const int n = 8;
  const Stream stream, other(cudaStreamNonBlocking);
  const Event before, middle;
  const DeviceArray<int> x(n), y(n);
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  int* d_x = x.data();
  int size = n, value = 3;
  void* arguments[] = {&d_x, &size, &value};
  const cudaKernelNodeParams params = kernel_params((void*)add_kernel, arguments);
  cudaGraphNode_t wait, kernel, record;
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, before));
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &wait, 1, &params));
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &kernel, 1, middle));
  for (const cudaGraphNode_t node : {wait, record}) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    show("type", static_cast<int>(type));
  }
  const cudaGraphExec_t exec = instantiate(graph);
  CHECK(cudaMemsetAsync(x.data(), 1, n * sizeof(int), other));
  CHECK(cudaEventRecord(before, other));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamWaitEvent(other, middle, 0));
  sum_kernel<<<2, 4, 0, other>>>(x.data(), x.data(), y.data(), n);
  other.wait();
  stream.wait();
  show("y", y.host()[6]);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace event_nodes

/* Prints:
type: 6
type: 7
y: 33686024
*/

// Launches of one graph run one after the other, whatever their streams, and in the order of their
// stream with other work.
namespace many_launches {

PART(many_launches) {
  const int n = 8, launches = 200;
  const Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  const Event fork, join;
  const DeviceArray<int> x(n), y(n), out(n);
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add_kernel<<<2, 4, 0, first>>>(x.data(), n, 1);
  add_kernel<<<2, 4, 0, second>>>(y.data(), n, 2);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  sum_kernel<<<2, 4, 0, first>>>(x.data(), y.data(), out.data(), n);
  CHECK(cudaStreamEndCapture(first, &graph));
  const cudaGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < launches; ++i) CHECK(cudaGraphLaunch(exec, i % 2 == 0 ? first : second));
  first.wait();
  second.wait();
  show("out", out.host()[2]);
  CHECK(cudaMemsetAsync(x.data(), 0, n * sizeof(int), first));
  CHECK(cudaGraphLaunch(exec, first));
  scale_kernel<<<2, 4, 0, first>>>(out.data(), n, 10);
  CHECK(cudaGraphExecDestroy(exec));  // it runs nevertheless
  first.wait();
  show("out", out.host()[2]);
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace many_launches

/* Prints:
out: 600
out: 4030
*/

// The forms of cudaGraphInstantiate().
namespace instantiate_forms {

PART(instantiate_forms) {
  const Stream stream;
  const DeviceArray<int> x(8);
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_kernel<<<2, 4, 0, stream>>>(x.data(), 8, 1);
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t execs[4] = {};
  cudaGraphNode_t node = nullptr;
  char log[100] = "";
  CHECK(cudaGraphInstantiate(&execs[0], graph));
  CHECK(cudaGraphInstantiate(&execs[1], graph, 0));
  CHECK(cudaGraphInstantiate(&execs[2], graph, &node, log, sizeof log));
  CHECK(cudaGraphInstantiateWithFlags(&execs[3], graph, cudaGraphInstantiateFlagUseNodePriority));
  for (const cudaGraphExec_t exec : execs) {
    launch_and_wait(exec, stream);
    unsigned long long flags = 0;
    CHECK(cudaGraphExecGetFlags(exec, &flags));
    show("x, flags", x.host()[0], flags);
    CHECK(cudaGraphExecDestroy(exec));
  }
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace instantiate_forms

/* Prints:
x, flags: 1 0
x, flags: 2 0
x, flags: 3 0
x, flags: 4 0
*/

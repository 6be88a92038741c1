// SPDX-License-Identifier: MIT
// Graphs whose edges do not order what uses the same memory.
#include "../check.h"
#include "../parts.h"

// Two streams are captured, and the second does not wait for what the first has done since.
namespace graph_branches_race {

__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = threadIdx.x;  // fault
}
__global__ void twice_kernel(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // fault
}

PART(graph_branches_race) {
  DeviceArray<int> in(64), out(64);
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  fill_kernel<<<1, 64, 0, first>>>(in.data());
  twice_kernel<<<1, 64, 0, second>>>(in.data(), out.data());
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  CHECK(cudaStreamEndCapture(first, &graph));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, first));
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace graph_branches_race

/* Reports:
kind = "race_across_streams"
kernel = "twice_kernel"
mentions = ["fill_kernel, launched at", "in the graph launched at", "cudaGraphAddDependencies"]
mode = "check"
*/

// The copy of a graph has no edge from the kernel that makes what it copies.
namespace graph_edge_forgotten {

__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = threadIdx.x;
}

PART(graph_edge_forgotten) {
  DeviceArray<int> data(64);
  int* host = nullptr;
  CHECK(cudaMallocHost(&host, 64 * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t kernel, copy;
  int* d_data = data.data();
  void* arguments[] = {&d_data};
  cudaKernelNodeParams params = {};
  params.func = (void*)fill_kernel;
  params.gridDim = dim3(1);
  params.blockDim = dim3(64);
  params.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &params));     // fault
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, host, d_data,  // fault
                                 64 * sizeof(int), cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFreeHost(host));
}

}  // namespace graph_edge_forgotten

/* Reports:
kind = "race_across_streams"
kernel = "fill_kernel"
mentions = ["cudaGraphAddMemcpyNode1D", "in the graph launched at", "cudaGraphAddDependencies"]
mode = "check"
*/

// Another stream does not wait for the launch of a graph.
namespace graph_beside_a_stream {

__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = threadIdx.x;  // fault
}
__global__ void twice_kernel(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // fault
}

PART(graph_beside_a_stream) {
  DeviceArray<int> in(64), out(64);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  fill_kernel<<<1, 64, 0, first>>>(in.data());
  CHECK(cudaStreamEndCapture(first, &graph));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, first));
  twice_kernel<<<1, 64, 0, second>>>(in.data(), out.data());
  CHECK_LAUNCH();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace graph_beside_a_stream

/* Reports:
kind = "race_across_streams"
kernel = "twice_kernel"
mentions = ["fill_kernel, launched at", "in the graph launched at", "cudaStreamWaitEvent"]
mode = "check"
*/

// The memory of a graph is freed, and the graph is launched once more.
namespace graph_of_freed_memory {

PART(graph_of_freed_memory) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(d_data, 0, 64 * sizeof(int), stream));  // fault
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaFree(d_data));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
}

}  // namespace graph_of_freed_memory

/* Reports:
kind = "use_after_free"
mentions = ["cudaMemsetAsync, a node of a graph"]
mode = "any"
*/

// The program ends, and nothing has waited for its graph.
namespace graph_not_waited_for {

__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = threadIdx.x;
}

PART(graph_not_waited_for) {
  DeviceArray<int> data(64);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill_kernel<<<1, 64, 0, stream>>>(data.data());  // fault
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  std::exit(0);
}

}  // namespace graph_not_waited_for

/* Reports:
kind = "unwaited_work"
kernel = "fill_kernel"
mode = "check"
*/

// SPDX-License-Identifier: MIT
// Names that CUDA 13 dropped: a program of CUDA 12, for `convkit cc --cuda12` and for nvcc 12.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing() {}

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int clock_khz = 0;
  cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
  std::printf("clock: %s\n", properties.clockRate == clock_khz ? "ok" : "WRONG");
  std::printf("memory clock: %s\n", properties.memoryClockRate > 0 ? "ok" : "WRONG");
  std::printf("overlap: %d\n", properties.deviceOverlap);
  std::printf("mode: %d\n", properties.computeMode);
  nothing<<<1, 1>>>();
  std::printf("synchronised: %s\n", cudaGetErrorName(cudaThreadSynchronize()));
  // Graphs: CUDA 13 has one argument more, the data of edges.
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr, from = nullptr, to = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&first, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&second, graph, nullptr, 0);
  cudaGraphAddDependencies(graph, &first, &second, 1);
  size_t edges = 1, before = 0, behind = 0;
  cudaGraphGetEdges(graph, &from, &to, &edges);
  cudaGraphNodeGetDependencies(second, nullptr, &before);
  cudaGraphNodeGetDependentNodes(first, nullptr, &behind);
  const bool right = edges == 1 && from == first && to == second && before == 1 && behind == 1;
  cudaGraphRemoveDependencies(graph, &first, &second, 1);
  cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
  std::printf("edges: %s\n", right && edges == 0 ? "ok" : "WRONG");
  cudaGraphDestroy(graph);
  std::printf("version: %s\n", CUDART_VERSION / 1000 == 12 ? "ok" : "WRONG");
}

/* Prints:
clock: ok
memory clock: ok
overlap: 1
mode: 0
synchronised: cudaSuccess
edges: ok
version: ok
*/

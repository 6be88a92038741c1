// SPDX-License-Identifier: MIT
// Distances in a graph, level by level, until a kernel reports that nothing changed.
#include "../check.h"

__global__ void level_kernel(const int* first_edge, const int* edges, int* distance, int level,
                             int n, int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || distance[node] != level) return;
  for (int e = first_edge[node]; e < first_edge[node + 1]; ++e) {
    if (atomicCAS(&distance[edges[e]], -1, level + 1) == -1) atomicExch(changed, 1);
  }
}

int main() {
  const int n = 500;
  std::vector<int> first_edge(n + 1), edges, distance(n, -1);
  for (int node = 0; node < n; ++node) {
    first_edge[node] = edges.size();
    edges.push_back((node * 7 + 3) % n);
    edges.push_back((node * 3 + 11) % n);
  }
  first_edge[n] = edges.size();
  distance[0] = 0;
  DeviceArray<int> d_first(first_edge), d_edges(edges), d_distance(distance);
  int *changed = nullptr, level = 0;
  CHECK(cudaMallocManaged(&changed, sizeof(int)));
  do {
    *changed = 0;
    level_kernel<<<4, 128>>>(d_first.data(), d_edges.data(), d_distance.data(), level++, n,
                             changed);
    CHECK_LAUNCH();
  } while (*changed);
  CHECK(cudaFree(changed));
  std::vector<int> queue = {0};
  for (size_t k = 0; k < queue.size(); ++k) {
    for (int e = first_edge[queue[k]]; e < first_edge[queue[k] + 1]; ++e) {
      if (distance[edges[e]] != -1) continue;
      distance[edges[e]] = distance[queue[k]] + 1;
      queue.push_back(edges[e]);
    }
  }
  expect("distances", d_distance.host() == distance);
  show("levels, reached", level, queue.size());
}

/* Prints:
distances: ok
levels, reached: 10 100
*/

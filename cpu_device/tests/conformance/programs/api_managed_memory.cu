// SPDX-License-Identifier: MIT
// cudaMallocManaged: host and kernels follow the same pointers, turn by turn.
#include "../check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void sum_kernel(Node* head, int* sum) {
  *sum = 0;
  for (Node* node = head; node != nullptr; node = node->next) {
    *sum += node->value;
    node->value = -node->value;
  }
}

int main() {
  Node* nodes = nullptr;
  int* sum = nullptr;
  CHECK(cudaMallocManaged(&nodes, 5 * sizeof(Node)));
  CHECK(cudaMallocManaged(&sum, sizeof(int), cudaMemAttachGlobal));
  for (int i = 0; i < 5; ++i) nodes[i] = {i * i, i + 1 < 5 ? &nodes[i + 1] : nullptr};
  sum_kernel<<<1, 1>>>(nodes, sum);
  CHECK_LAUNCH();
  show("sum", *sum, nodes[4].value);
  nodes[1].next = &nodes[4];
  sum_kernel<<<1, 1>>>(&nodes[0], sum);
  CHECK_LAUNCH();
  show("shorter list", *sum, nodes[4].value, nodes[2].value);
  int copy = 0;
  CHECK(cudaMemcpy(&copy, sum, sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  show("copied, cleared", copy, *sum);
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(sum));
}

/* Prints:
sum: 30 -16
shorter list: -17 16 -4
copied, cleared: -17 0
*/

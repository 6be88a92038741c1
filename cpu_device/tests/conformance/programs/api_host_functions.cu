// SPDX-License-Identifier: MIT
// cudaLaunchHostFunc runs on the host, in the order of its stream.
#include <atomic>

#include "../check.h"

struct Step {
  int* pinned;
  int seen;
};

__global__ void set_kernel(int* pinned, int value) {
  *pinned = value;
}

void CUDART_CB look(void* data) {
  Step* step = static_cast<Step*>(data);
  step->seen = *static_cast<volatile int*>(step->pinned);
}

std::atomic<int> calls{0};
void CUDART_CB count(void* data) {
  calls += *static_cast<int*>(data);
}

int main() {
  int* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, sizeof(int)));
  *pinned = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  Step steps[3] = {{pinned, -1}, {pinned, -1}, {pinned, -1}};
  for (int i = 0; i < 3; ++i) {
    set_kernel<<<1, 1, 0, stream>>>(pinned, 10 * (i + 1));
    CHECK(cudaLaunchHostFunc(stream, look, &steps[i]));
  }
  CHECK(cudaStreamSynchronize(stream));
  show("seen", steps[0].seen, steps[1].seen, steps[2].seen);
  int weight = 3;
  for (int i = 0; i < 20; ++i) CHECK(cudaLaunchHostFunc(i % 2 ? stream : 0, count, &weight));
  CHECK(cudaDeviceSynchronize());
  show("calls", calls.load());
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(pinned));
}

/* Prints:
seen: 10 20 30
calls: 60
*/

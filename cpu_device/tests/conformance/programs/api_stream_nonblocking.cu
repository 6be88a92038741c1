// SPDX-License-Identifier: MIT
// Non-blocking streams, priorities and flags; two streams that only events put in order.
#include "../check.h"

__global__ void fill_kernel(int* data, int value) {
  data[threadIdx.x] = value;
}
__global__ void add_kernel(int* out, const int* in) {
  out[threadIdx.x] += in[threadIdx.x];
}

int main() {
  DeviceArray<int> data(4), sum(4);
  cudaStream_t producer, consumer;
  cudaEvent_t produced, consumed;
  int least = 0, greatest = 0, priority = 99;
  unsigned flags = 99;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  expect("priorities", greatest <= least);
  CHECK(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithPriority(&consumer, cudaStreamNonBlocking, greatest));
  CHECK(cudaStreamGetFlags(producer, &flags));
  CHECK(cudaStreamGetPriority(consumer, &priority));
  expect("flags", flags == cudaStreamNonBlocking && priority == greatest);
  CHECK(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&consumed, cudaEventDisableTiming));
  CHECK(cudaDeviceSynchronize());  // the arrays' clearing was in the legacy stream
  for (int i = 1; i <= 50; ++i) {
    fill_kernel<<<1, 4, 0, producer>>>(data.data(), i);
    CHECK(cudaEventRecord(produced, producer));
    CHECK(cudaStreamWaitEvent(consumer, produced, 0));
    add_kernel<<<1, 4, 0, consumer>>>(sum.data(), data.data());
    CHECK(cudaEventRecord(consumed, consumer));
    CHECK(cudaStreamWaitEvent(producer, consumed));
  }
  CHECK(cudaStreamSynchronize(consumer));
  show("sum", sum.host());
  CHECK(cudaEventDestroy(produced));
  CHECK(cudaEventDestroy(consumed));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
}

/* Prints:
priorities: ok
flags: ok
sum: 1275 1275 1275 1275
*/

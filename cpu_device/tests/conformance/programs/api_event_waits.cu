// SPDX-License-Identifier: MIT
// A diamond of four streams, joined by events; waiting on an event that was never recorded is no
// wait.
#include "../check.h"

__global__ void start_kernel(int* data) {
  data[threadIdx.x] = threadIdx.x + 1;
}
__global__ void scale_kernel(const int* in, int* out, int factor) {
  out[threadIdx.x] = in[threadIdx.x] * factor;
}
__global__ void join_kernel(const int* a, const int* b, int* out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

int main() {
  DeviceArray<int> source(4), left(4), right(4), joined(4);
  cudaStream_t streams[4];
  cudaEvent_t started, left_done, right_done, never;
  for (cudaStream_t& stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (cudaEvent_t* event : {&started, &left_done, &right_done, &never})
    CHECK(cudaEventCreate(event));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamWaitEvent(streams[0], never, 0));
  start_kernel<<<1, 4, 0, streams[0]>>>(source.data());
  CHECK(cudaEventRecord(started, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], started, 0));
  CHECK(cudaStreamWaitEvent(streams[2], started, 0));
  scale_kernel<<<1, 4, 0, streams[2]>>>(source.data(), right.data(), 100);
  CHECK(cudaEventRecord(right_done, streams[2]));
  scale_kernel<<<1, 4, 0, streams[1]>>>(source.data(), left.data(), 10);
  CHECK(cudaEventRecord(left_done, streams[1]));
  CHECK(cudaStreamWaitEvent(streams[3], left_done, 0));
  CHECK(cudaStreamWaitEvent(streams[3], right_done, 0));
  join_kernel<<<1, 4, 0, streams[3]>>>(left.data(), right.data(), joined.data());
  CHECK(cudaStreamSynchronize(streams[3]));
  show("joined", joined.host());
  // The wait is for the record made before it; a later record of the event does not count.
  start_kernel<<<1, 4, 0, streams[0]>>>(left.data());
  CHECK(cudaEventRecord(started, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], started, 0));
  CHECK(cudaEventRecord(started, streams[2]));
  scale_kernel<<<1, 4, 0, streams[1]>>>(left.data(), right.data(), 7);
  CHECK(cudaEventSynchronize(started));
  CHECK(cudaStreamSynchronize(streams[1]));
  show("first record", right.host());
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  for (cudaEvent_t event : {started, left_done, right_done, never}) CHECK(cudaEventDestroy(event));
}

/* Prints:
joined: 110 220 330 440
first record: 7 14 21 28
*/

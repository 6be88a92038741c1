// SPDX-License-Identifier: MIT
// Host functions and callbacks of a stream must not call CUDA: what they call is not permitted, and
// does nothing. (The documentation says "may"; an H200 refuses all of these.)
#include "../check.h"

__global__ void set_kernel(int* d_value, int value) {
  *d_value = value;
}

struct Calls {
  cudaStream_t other;
  cudaError_t stream, device, memory, event, launch;
  void* d_pointer;
  int* d_value;
};

void make(Calls* calls) {
  calls->stream = cudaStreamSynchronize(calls->other);
  calls->device = cudaDeviceSynchronize();
  calls->memory = cudaMalloc(&calls->d_pointer, 4);
  cudaEvent_t event;
  calls->event = cudaEventCreate(&event);
  set_kernel<<<1, 1, 0, calls->other>>>(calls->d_value, 2);
  calls->launch = cudaGetLastError();
}

void CUDART_CB host_function(void* data) {
  make(static_cast<Calls*>(data));
}
void CUDART_CB callback(cudaStream_t, cudaError_t, void* data) {
  make(static_cast<Calls*>(data));
}

void show_calls(const Calls& calls) {
  show("calls", cudaGetErrorName(calls.stream), cudaGetErrorName(calls.device),
       cudaGetErrorName(calls.memory), cudaGetErrorName(calls.event),
       cudaGetErrorName(calls.launch), calls.d_pointer == nullptr ? "nothing" : "memory");
}

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream, other;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  Calls in_function{}, in_callback{};
  in_function.other = in_callback.other = other;
  in_function.d_value = in_callback.d_value = value.data();
  set_kernel<<<1, 1, 0, other>>>(value.data(), 1);
  CHECK(cudaLaunchHostFunc(stream, host_function, &in_function));
  CHECK(cudaStreamAddCallback(stream, callback, &in_callback, 0));
  CHECK(cudaStreamSynchronize(stream));
  show_calls(in_function);
  show_calls(in_callback);
  // They are another thread's errors; this one may call CUDA as before.
  show("here", cudaGetErrorName(cudaGetLastError()));
  CHECK(cudaStreamSynchronize(other));
  show("value", value.host()[0]);
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaStreamDestroy(stream));
}

/* Prints:
calls: cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted nothing
calls: cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted nothing
here: cudaSuccess
value: 1
*/

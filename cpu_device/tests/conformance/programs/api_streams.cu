// SPDX-License-Identifier: MIT
// Streams, events and host functions.
#include <nv/target>

#include <atomic>

#include "../check.h"
#include "../parts.h"

// Events around kernels: elapsed times, queries, and the errors of events that cannot tell.
namespace event_timing {

__global__ void work_kernel(float* data) {
  const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[own];
  for (int i = 0; i < 1000; ++i) x = x * 0.5f + 1.0f;
  data[own] = x;
}

PART(event_timing) {
  DeviceArray<float> data(64);
  cudaEvent_t start, stop, untimed;
  float elapsed_ms = -1, none_ms = -1;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  std::printf("never recorded: %s\n",
              cudaGetErrorName(cudaEventElapsedTime(&none_ms, start, stop)));
  std::printf("its query: %s\n", cudaGetErrorName(cudaEventQuery(start)));
  (void)cudaGetLastError();
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < 5; ++i) work_kernel<<<2, 32>>>(data.data());
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&elapsed_ms, start, stop));
  expect("elapsed", elapsed_ms >= 0 && elapsed_ms < 10000);
  std::printf("query: %s\n", cudaGetErrorName(cudaEventQuery(stop)));
  CHECK(cudaEventElapsedTime(&none_ms, stop, stop));
  show("same event", none_ms);
  CHECK(cudaEventElapsedTime(&none_ms, stop, start));
  expect("backwards", none_ms <= 0 && none_ms == -elapsed_ms);
  CHECK(cudaEventRecord(untimed));
  CHECK(cudaEventSynchronize(untimed));
  std::printf("untimed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&none_ms, start, untimed)));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaEventDestroy(untimed));
}

}  // namespace event_timing

/* Prints:
never recorded: cudaErrorInvalidResourceHandle
its query: cudaSuccess
elapsed: ok
query: cudaSuccess
same event: 0
backwards: ok
untimed: cudaErrorInvalidResourceHandle
*/

// A diamond of four streams, joined by events; waiting on an event that was never recorded is no
// wait.
namespace event_waits {

__global__ void start_kernel(int* data) {
  data[threadIdx.x] = threadIdx.x + 1;
}
__global__ void scale_kernel(const int* in, int* out, int factor) {
  out[threadIdx.x] = in[threadIdx.x] * factor;
}
__global__ void join_kernel(const int* a, const int* b, int* out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

PART(event_waits) {
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

}  // namespace event_waits

/* Prints:
joined: 110 220 330 440
first record: 7 14 21 28
*/

// What C++ has besides the functions of C: events with flags, managed memory attached to a stream.
namespace events_and_attachments {

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value + static_cast<int>(threadIdx.x);
}

PART(events_and_attachments) {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event, cudaEventDisableTiming));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* x = nullptr;
  CHECK(cudaMallocManaged(&x, 4 * sizeof(int)));
  CHECK(cudaStreamAttachMemAsync(stream, x));
  CHECK(cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachSingle));
  fill<<<1, 4, 0, stream>>>(x, 10);
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaEventSynchronize(event));
  show("x", x[0], x[1], x[2], x[3]);
  float ms = 0;
  std::printf("elapsed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, event, event)));
  CHECK(cudaFree(x));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace events_and_attachments

/* Prints:
x: 10 11 12 13
elapsed: cudaErrorInvalidResourceHandle
*/

// Host functions and callbacks of a stream must not call CUDA: what they call is not permitted, and
// does nothing. (The documentation says "may"; an H200 refuses all of these.)
namespace host_function_calls {

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

PART(host_function_calls) {
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

}  // namespace host_function_calls

/* Prints:
calls: cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted nothing
calls: cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted nothing
here: cudaSuccess
value: 1
*/

// cudaLaunchHostFunc runs on the host, in the order of its stream.
namespace host_functions {

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

PART(host_functions) {
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

}  // namespace host_functions

/* Prints:
seen: 10 20 30
calls: 60
*/

// Copies and kernels of chunks over three streams, from and to pinned memory.
namespace pipeline {

__global__ void square_kernel(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * data[i];
}

PART(pipeline) {
  const int n = 3000, chunk = 400;
  float *in = nullptr, *out = nullptr, *d_data = nullptr;
  CHECK(cudaMallocHost(&in, n * sizeof(float)));
  CHECK(cudaMallocHost(&out, n * sizeof(float)));
  CHECK(cudaMalloc(&d_data, n * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = i % 1000, out[i] = -1;
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const int size = first + chunk < n ? chunk : n - first;
    cudaStream_t stream = streams[k % 3];
    CHECK(cudaMemcpyAsync(d_data + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice,
                          stream));
    square_kernel<<<(size + 127) / 128, 128, 0, stream>>>(d_data + first, size);
    CHECK(cudaMemcpyAsync(out + first, d_data + first, size * sizeof(float), cudaMemcpyDeviceToHost,
                          stream));
  }
  for (cudaStream_t stream : streams) CHECK(cudaStreamSynchronize(stream));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != float(i % 1000) * float(i % 1000);
  show("wrong", wrong);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaMemsetAsync(d_data, 0, n * sizeof(float), 0));
  CHECK(cudaMemcpy(out, d_data, n * sizeof(float), cudaMemcpyDeviceToHost));
  show("cleared", out[0], out[n - 1]);
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFree(d_data));
}

}  // namespace pipeline

/* Prints:
wrong: 0
cleared: 0 0
*/

// Non-blocking streams, priorities and flags; two streams that only events put in order.
namespace stream_nonblocking {

__global__ void fill_kernel(int* data, int value) {
  data[threadIdx.x] = value;
}
__global__ void add_kernel(int* out, const int* in) {
  out[threadIdx.x] += in[threadIdx.x];
}

PART(stream_nonblocking) {
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

}  // namespace stream_nonblocking

/* Prints:
priorities: ok
flags: ok
sum: 1275 1275 1275 1275
*/

// Work of one stream runs in order; the legacy default stream waits for, and holds up, blocking
// streams.
namespace stream_order {

__global__ void append_kernel(int* log, int* length, int value) {
  for (volatile int i = 0; i < 2000; i = i + 1) {
  }
  log[(*length)++] = value;
}

PART(stream_order) {
  DeviceArray<int> log(16), length(1);
  cudaStream_t a, b;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  for (int i = 0; i < 4; ++i) append_kernel<<<1, 1, 0, a>>>(log.data(), length.data(), i);
  append_kernel<<<1, 1>>>(log.data(), length.data(), 100);        // after all of a
  append_kernel<<<1, 1, 0, b>>>(log.data(), length.data(), 200);  // after that
  append_kernel<<<1, 1, 0, cudaStreamLegacy>>>(log.data(), length.data(), 300);
  append_kernel<<<1, 1, 0, a>>>(log.data(), length.data(), 400);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(a));
  int host[16], n = 0;
  CHECK(cudaMemcpy(&n, length.data(), sizeof(n), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(host, log.data(), sizeof(host), cudaMemcpyDeviceToHost));
  show("order", std::vector<int>(host, host + n));
  append_kernel<<<1, 1, 0, b>>>(log.data(), length.data(), 500);
  CHECK(cudaMemcpy(host, log.data(), sizeof(host), cudaMemcpyDeviceToHost));  // waits for b
  show("a copy waits", host[8]);
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
}

}  // namespace stream_order

/* Prints:
order: 0 1 2 3 100 200 300 400
a copy waits: 500
*/

// Queries and synchronisation of streams; destroying one with work in it.
namespace stream_query {

__global__ void add_kernel(int* data) {
  atomicAdd(data, 1);
}

PART(stream_query) {
  DeviceArray<int> data(1);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamDefault));
  std::printf("empty: %s\n", cudaGetErrorName(cudaStreamQuery(stream)));
  for (int i = 0; i < 10; ++i) add_kernel<<<4, 32, 0, stream>>>(data.data());
  const cudaError_t early = cudaStreamQuery(stream);
  expect("early", early == cudaSuccess || early == cudaErrorNotReady);
  (void)cudaGetLastError();
  CHECK(cudaStreamSynchronize(stream));
  std::printf("after: %s\n", cudaGetErrorName(cudaStreamQuery(stream)));
  show("count", data.host());
  add_kernel<<<4, 32, 0, stream>>>(data.data());
  CHECK(cudaStreamDestroy(stream));  // what is queued still runs
  CHECK(cudaDeviceSynchronize());
  show("count", data.host());
  CHECK(cudaStreamSynchronize(0));
  CHECK(cudaStreamQuery(cudaStreamPerThread));
}

}  // namespace stream_query

/* Prints:
empty: cudaSuccess
early: ok
after: cudaSuccess
count: 1280
count: 1408
*/

// Attributes of streams and launches that are hints: they are accepted, and change no result.
namespace hints {

__host__ __device__ int side() {
  NV_IF_ELSE_TARGET(NV_ANY_TARGET, (return 1;), (return 2;))
}

__global__ void first_kernel(int* x) {
  x[threadIdx.x] = side();
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second_kernel(int* x, int more) {
  __builtin_assume(more > 0);
  cudaGridDependencySynchronize();
  x[threadIdx.x] += more + static_cast<int>(fdividef(8.0f, 2.0f));
}

PART(hints) {
  const DeviceArray<int> x(32);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.base_ptr = x.data();
  value.accessPolicyWindow.num_bytes = 32 * sizeof(int);
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  cudaStreamAttrValue back{};
  CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back));
  show("window", back.accessPolicyWindow.base_ptr == x.data(),
       static_cast<int>(back.accessPolicyWindow.num_bytes));
  first_kernel<<<1, 32, 0, stream>>>(x.data());
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 32;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, second_kernel, x.data(), 3));
  value.accessPolicyWindow.num_bytes = 0;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  CHECK(cudaCtxResetPersistingL2Cache());
  CHECK(cudaStreamSynchronize(stream));
  show("x", x.host()[0], x.host()[31]);
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace hints

/* Prints:
window: 1 128
x: 8 8
*/

// SPDX-License-Identifier: MIT
// Streams, events and host functions of the CUDA runtime API.
#include "cpu_device/engine/call.h"
#include "cpu_device/engine/memory.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

cudaError_t make_event(cudaEvent_t* event, unsigned flags) {
  if (!event || flags > 7) return cudaErrorInvalidValue;
  *event = new CUevent_st{std::make_shared<Event>()};
  (*event)->event->timed = !(flags & cudaEventDisableTiming);
  return cudaSuccess;
}

cudaError_t make_stream(cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = queue().create(flags != cudaStreamNonBlocking, priority);
  return cudaSuccess;
}

// Calls `body(stream)` when the handle means one.
template <class Body>
cudaError_t with_stream(cudaStream_t handle, const Body& body) {
  return call([&] {
    CUstream_st* stream = queue().resolve(handle);
    return stream ? body(stream) : cudaErrorInvalidResourceHandle;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call([=] { return make_stream(stream, cudaStreamDefault, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return call([=] { return make_stream(stream, flags, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return call([=] { return make_stream(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return with_stream(handle, [](CUstream_st* stream) {
    if (stream->legacy) return cudaErrorInvalidResourceHandle;
    queue().destroy(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return with_stream(handle, [](CUstream_st* stream) {
    queue().drain(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return with_stream(handle, [](CUstream_st* stream) {
    return queue().poll(stream) ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return with_stream(handle, [=](CUstream_st* stream) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = stream->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return with_stream(handle, [=](CUstream_st* stream) {
    if (!priority) return cudaErrorInvalidValue;
    *priority = stream->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return with_stream(handle, [=](CUstream_st* stream) {
    if (!function) return cudaErrorInvalidValue;
    queue().push(stream, [=] {
      if (sticky_error() != cudaSuccess) return;
      const HostTurn turn;
      function(user_data);
    });
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  return with_stream(handle, [=](CUstream_st* stream) {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    queue().push(stream, [=] {
      const HostTurn turn;
      callback(handle, sticky_error(), user_data);
    });
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int) {
  return with_stream(handle, [=](CUstream_st* stream) {
    if (!event) return cudaErrorInvalidResourceHandle;
    queue().push_wait(stream, event->event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call([=] { return make_event(event, cudaEventDefault); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([=] { return make_event(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([=] {
    if (!event) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  return with_stream(handle, [=](CUstream_st* stream) {
    if (!event) return cudaErrorInvalidResourceHandle;
    queue().record(stream, event->event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([=] {
    if (!event) return cudaErrorInvalidResourceHandle;
    if (event->event->done) return cudaSuccess;
    queue().poll(event->event->stream);
    return event->event->done ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([=] {
    if (!event) return cudaErrorInvalidResourceHandle;
    queue().drain_event(*event->event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return call([=] {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!start || !stop) return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t event : {start, stop}) {
      if (!event->event->timed || event->event->recorded == 0)
        return cudaErrorInvalidResourceHandle;
      if (!event->event->done) return cudaErrorNotReady;
    }
    *milliseconds =
        std::chrono::duration<float, std::milli>(stop->event->at - start->event->at).count();
    return cudaSuccess;
  });
}
}

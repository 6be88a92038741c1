// SPDX-License-Identifier: MIT
// Streams, events and host functions of the CUDA runtime API.
#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/call.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/work.h"
#include "simt/launch_attributes.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

bool is_of_streams(cudaLaunchAttributeID attribute) {
  return attribute == cudaStreamAttributeAccessPolicyWindow ||
         attribute == cudaStreamAttributeSynchronizationPolicy ||
         attribute == cudaStreamAttributePriority;
}
cudaError_t refuse_attribute(const char* name, cudaLaunchAttributeID attribute) {
  return refuse(name, cudaErrorInvalidValue,
                said("attr is ", static_cast<int>(attribute), ", which is none of a stream"));
}

cudaError_t make_event(const char* name, cudaEvent_t* event, unsigned flags) {
  if (!event) return refuse(name, cudaErrorInvalidValue, "event is null");
  if (flags > 7) {
    return refuse(name, cudaErrorInvalidValue,
                  said("flags is ", flags, "; it must be made of the cudaEvent... flags"));
  }
  *event = new CUevent_st{std::make_shared<Event>()};
  (*event)->event->timed = !(flags & cudaEventDisableTiming);
  return cudaSuccess;
}

cudaError_t make_stream(const char* name, cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream) return refuse(name, cudaErrorInvalidValue, "pStream is null");
  if (flags > cudaStreamNonBlocking) {
    return refuse(
        name, cudaErrorInvalidValue,
        said("flags is ", flags, "; it must be cudaStreamDefault or cudaStreamNonBlocking"));
  }
  *stream = queue().create(flags != cudaStreamNonBlocking, priority,
                           check_hooks ? check_hooks->call_site() : nullptr);
  return cudaSuccess;
}

cudaError_t noted_in(BlockRunner& block, cudaError_t error) {
  block.nested_launches().set_error(block.thread(), error);
  return error;
}

// In kernels there are non-blocking streams only.
cudaError_t make_stream_of(BlockRunner& block, cudaStream_t* stream, unsigned flags) {
  if (!stream || flags != cudaStreamNonBlocking) return noted_in(block, cudaErrorInvalidValue);
  *stream = block.nested_launches().make_stream();
  return cudaSuccess;
}

// Calls `body(stream)` when the handle means one.
template <class Body>
cudaError_t with_stream(const char* name, cudaStream_t handle, const Body& body) {
  return call([&] {
    CUstream_st* stream = queue().resolve(handle);
    return stream ? body(stream) : refuse_stream(name);
  });
}

// The same when the stream takes operations.
template <class Body>
cudaError_t with_open_stream(const char* name, cudaStream_t handle, const Body& body) {
  return with_stream(name, handle, [&](CUstream_st* stream) {
    const cudaError_t error = refuse_in_capture(name, stream);
    return error == cudaSuccess ? body(stream) : error;
  });
}

cudaError_t record_event(const char* name, CUstream_st* stream, cudaEvent_t event, unsigned flags) {
  if (!event) return refuse(name, cudaErrorInvalidResourceHandle, "event is null");
  if (!stream->capture) {
    queue().record(stream, event->event, task_of_call("cudaEventRecord"));
  } else if (flags & cudaEventRecordExternal) {
    submit(stream, event_work(name, cudaGraphNodeTypeEventRecord, event->event));
  } else {
    event->event->capture = stream->capture;
    event->event->nodes = stream->tip;
  }
  return cudaSuccess;
}

// The stream waits for an event that stands for nodes of a graph.
cudaError_t join_capture(const char* name, CUstream_st* stream, const Event& event) {
  const std::shared_ptr<Capture> capture = event.capture;
  const auto refused = [&](cudaError_t error, const char* why) {
    invalidate(*capture);
    if (stream->capture) invalidate(*stream->capture);
    return refuse(name, error, why);
  };
  if (capture->ended) {
    return refused(cudaErrorCapturedEvent,
                   "the event was last recorded in a stream that was being captured, and that "
                   "capture has ended");
  }
  if (capture->invalid) {
    constexpr cudaError_t kError = cudaErrorStreamCaptureInvalidated;
    return refused(kError, why_not_queued(kError).c_str());
  }
  if (stream->legacy) {
    constexpr cudaError_t kError = cudaErrorStreamCaptureImplicit;
    return refused(kError, "the default stream cannot be captured");
  }
  if (stream->capture && stream->capture != capture) {
    return refused(cudaErrorStreamCaptureMerge, "stream and event belong to different captures");
  }
  depend_on(stream, capture, event.nodes);
  return cudaSuccess;
}

cudaError_t wait_for_event(const char* name, CUstream_st* stream, cudaEvent_t event,
                           unsigned flags) {
  if (!event) return refuse(name, cudaErrorInvalidResourceHandle, "event is null");
  if (stream->capture && (flags & cudaEventWaitExternal)) {
    submit(stream, event_work(name, cudaGraphNodeTypeWaitEvent, event->event));
    return cudaSuccess;
  }
  if (event->event->capture) return join_capture(name, stream, *event->event);
  if (!stream->capture) {
    queue().push_wait(stream, event->event);
    return cudaSuccess;
  }
  if (event->event->recorded == 0) return cudaSuccess;
  invalidate(*stream->capture);
  return refuse(name, cudaErrorStreamCaptureIsolation,
                "the stream is being captured, and the event was recorded in one that is not: a "
                "graph cannot depend on work outside of it");
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call([=] { return make_stream("cudaStreamCreate", stream, cudaStreamDefault, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (BlockRunner* block = calling_block()) return make_stream_of(*block, stream, flags);
  return call([=] { return make_stream("cudaStreamCreateWithFlags", stream, flags, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return call([=] { return make_stream("cudaStreamCreateWithPriority", stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (BlockRunner* block = calling_block()) {
    if (block->nested_launches().destroy_stream(handle)) return cudaSuccess;
    return noted_in(*block, cudaErrorInvalidResourceHandle);
  }
  return with_stream("cudaStreamDestroy", handle, [](CUstream_st* stream) {
    if (stream->legacy) {
      return refuse("cudaStreamDestroy", cudaErrorInvalidResourceHandle,
                    "the default stream stays");
    }
    if (stream->capture) {
      invalidate(*stream->capture);
      return refuse("cudaStreamDestroy", cudaErrorStreamCaptureUnsupported,
                    "the stream is being captured; call cudaStreamEndCapture() first");
    }
    queue().destroy(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return with_stream("cudaStreamSynchronize", handle, [](CUstream_st* stream) {
    const cudaError_t error = refuse_wait_in_capture("cudaStreamSynchronize", stream);
    if (error != cudaSuccess) return error;
    queue().drain(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return with_stream("cudaStreamQuery", handle, [](CUstream_st* stream) {
    const cudaError_t error = refuse_wait_in_capture("cudaStreamQuery", stream);
    if (error != cudaSuccess) return error;
    return queue().poll(stream) ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return with_stream("cudaStreamGetFlags", handle, [=](CUstream_st* stream) {
    if (!flags) return refuse("cudaStreamGetFlags", cudaErrorInvalidValue, "flags is null");
    *flags = stream->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return with_stream("cudaStreamGetPriority", handle, [=](CUstream_st* stream) {
    if (!priority)
      return refuse("cudaStreamGetPriority", cudaErrorInvalidValue, "priority is null");
    *priority = stream->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return with_stream("cudaStreamGetAttribute", handle, [=](CUstream_st* stream) {
    if (!value) return refuse("cudaStreamGetAttribute", cudaErrorInvalidValue, "value is null");
    if (!is_of_streams(attribute)) return refuse_attribute("cudaStreamGetAttribute", attribute);
    *value = stream->attributes[attribute];
    if (attribute == cudaStreamAttributePriority) value->priority = stream->priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return with_stream("cudaStreamSetAttribute", handle, [=](CUstream_st* stream) {
    if (!value) return refuse("cudaStreamSetAttribute", cudaErrorInvalidValue, "value is null");
    if (!is_of_streams(attribute)) return refuse_attribute("cudaStreamSetAttribute", attribute);
    stream->attributes[attribute] = *value;
    if (attribute == cudaStreamAttributePriority) stream->priority = value->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return with_open_stream("cudaLaunchHostFunc", handle, [=](CUstream_st* stream) {
    if (!function) return refuse("cudaLaunchHostFunc", cudaErrorInvalidValue, "fn is null");
    submit(stream, host_work("cudaLaunchHostFunc", function, user_data));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  return with_open_stream("cudaStreamAddCallback", handle, [=](CUstream_st* stream) {
    if (!callback)
      return refuse("cudaStreamAddCallback", cudaErrorInvalidValue, "callback is null");
    if (flags != 0) {
      return refuse("cudaStreamAddCallback", cudaErrorInvalidValue,
                    said("flags is ", flags, "; it must be 0"));
    }
    if (stream->capture) {
      invalidate(*stream->capture);
      return refuse("cudaStreamAddCallback", cudaErrorStreamCaptureUnsupported,
                    "the stream is being captured, and a graph has no callbacks; call "
                    "cudaLaunchHostFunc()");
    }
    queue().push(
        stream, [=] { call_host_function([=] { callback(handle, sticky_error(), user_data); }); },
        task_of_call("cudaStreamAddCallback"));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
  constexpr const char* kCall = "cudaStreamWaitEvent";
  return with_open_stream(kCall, handle, [=](CUstream_st* stream) {
    return wait_for_event(kCall, stream, event, flags);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call([=] { return make_event("cudaEventCreate", event, cudaEventDefault); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([=] { return make_event("cudaEventCreateWithFlags", event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([=] {
    if (!event) return refuse("cudaEventDestroy", cudaErrorInvalidResourceHandle, "event is null");
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  constexpr const char* kCall = "cudaEventRecord";
  return with_open_stream(kCall, handle, [=](CUstream_st* stream) {
    return record_event(kCall, stream, event, cudaEventRecordDefault);
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned int flags) {
  constexpr const char* kCall = "cudaEventRecordWithFlags";
  return with_open_stream(kCall, handle, [=](CUstream_st* stream) {
    return record_event(kCall, stream, event, flags);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([=] {
    if (!event) return refuse("cudaEventQuery", cudaErrorInvalidResourceHandle, "event is null");
    const cudaError_t error = refuse_captured_event("cudaEventQuery", *event->event);
    if (error != cudaSuccess) return error;
    if (!event->event->done) queue().poll(event->event->stream);
    if (!event->event->done) return cudaErrorNotReady;
    queue().drain_event(*event->event);  // the caller knows now: what came before it is joined
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([=] {
    if (!event)
      return refuse("cudaEventSynchronize", cudaErrorInvalidResourceHandle, "event is null");
    const cudaError_t error = refuse_captured_event("cudaEventSynchronize", *event->event);
    if (error != cudaSuccess) return error;
    queue().drain_event(*event->event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return call([=] {
    if (!milliseconds) return refuse("cudaEventElapsedTime", cudaErrorInvalidValue, "ms is null");
    if (!start || !stop) {
      return refuse("cudaEventElapsedTime", cudaErrorInvalidResourceHandle,
                    start ? "end is null" : "start is null");
    }
    for (const cudaEvent_t event : {start, stop}) {
      const char* argument = event == start ? "start" : "end";
      const cudaError_t error = refuse_captured_event("cudaEventElapsedTime", *event->event);
      if (error != cudaSuccess) return error;
      if (!event->event->timed) {
        return refuse("cudaEventElapsedTime", cudaErrorInvalidResourceHandle,
                      said(argument, " was created with cudaEventDisableTiming"));
      }
      if (event->event->recorded == 0) {
        return refuse("cudaEventElapsedTime", cudaErrorInvalidResourceHandle,
                      said(argument, " was never recorded"));
      }
      if (!event->event->done) return cudaErrorNotReady;
      queue().drain_event(*event->event);
    }
    *milliseconds =
        std::chrono::duration<float, std::milli>(stop->event->at - start->event->at).count();
    return cudaSuccess;
  });
}
}

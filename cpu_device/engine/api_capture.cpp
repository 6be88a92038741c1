// SPDX-License-Identifier: MIT
// Stream capture of the CUDA runtime API.
#include <utility>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/graph.h"
#include "cpu_device/engine/graph_arguments.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

cudaError_t mode_error(const char* name, cudaStreamCaptureMode mode) {
  if (mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed) {
    return cudaSuccess;
  }
  return refuse(name, cudaErrorInvalidValue,
                said("mode is ", static_cast<int>(mode), "; it must be a cudaStreamCaptureMode"));
}

// The stream in which a capture may begin; null: `error` says why there is none.
CUstream_st* stream_to_capture(const char* name, cudaStream_t handle, cudaStreamCaptureMode mode,
                               cudaError_t& error) {
  CUstream_st* stream = queue().resolve(handle);
  error = stream ? mode_error(name, mode) : refuse_stream(name);
  if (error != cudaSuccess) return nullptr;
  if (stream->legacy) {
    error = refuse(name, cudaErrorStreamCaptureUnsupported,
                   "the default stream cannot be captured; create a stream");
  } else if (stream->capture) {
    error = refuse(name, cudaErrorIllegalState, "the stream is being captured already");
  }
  return error == cudaSuccess ? stream : nullptr;
}

// What the stream's capture is, for a question about it.
cudaError_t capture_of(const char* name, cudaStream_t handle, std::shared_ptr<Capture>& capture,
                       CUstream_st*& stream) {
  stream = queue().resolve(handle);
  if (!stream) return refuse_stream(name);
  capture = stream->capture;
  if (!stream->legacy || !blocking_capture()) return cudaSuccess;
  constexpr cudaError_t kError = cudaErrorStreamCaptureImplicit;
  return refuse(name, kError, why_not_queued(kError));
}

cudaStreamCaptureStatus status_of(const std::shared_ptr<Capture>& capture) {
  if (!capture) return cudaStreamCaptureStatusNone;
  return capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

// Why cudaStreamEndCapture() gives no graph, or cudaSuccess.
cudaError_t unfinished(const char* name, const Capture& capture) {
  if (capture.invalid) {
    return refuse(name, cudaErrorStreamCaptureInvalidated,
                  "an earlier call made the capture invalid; look at the errors of the calls "
                  "between begin and end");
  }
  if (all_joined(capture)) return cudaSuccess;
  return refuse(name, cudaErrorStreamCaptureUnjoined,
                "another stream has captured work that the stream does not wait for; record an "
                "event there and let the stream wait for it with cudaStreamWaitEvent()");
}

void drop_capture(Capture& capture) {
  end_capture(capture);
  if (capture.owns_graph) delete capture.graph;
}

// An H200 makes a capture invalid that is ended in the wrong stream, and ends one that is ended by
// the wrong thread.
cudaError_t finish_capture(const char* name, CUstream_st* stream, cudaGraph_t* graph) {
  const std::shared_ptr<Capture> capture = stream->capture;
  if (!capture) return refuse(name, cudaErrorIllegalState, "the stream is not being captured");
  if (capture->origin != stream) {
    invalidate(*capture);
    return refuse(name, cudaErrorStreamCaptureUnmatched,
                  "the capture began in another stream, and must end there");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    drop_capture(*capture);
    return refuse(name, cudaErrorStreamCaptureWrongThread,
                  "another host thread began the capture, and must end it, as the mode is not "
                  "cudaStreamCaptureModeRelaxed");
  }
  const cudaError_t error = unfinished(name, *capture);
  if (error != cudaSuccess) {
    drop_capture(*capture);
    return error;
  }
  end_capture(*capture);
  *graph = capture->graph;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([=] {
    cudaError_t error = cudaSuccess;
    CUstream_st* stream = stream_to_capture("cudaStreamBeginCapture", handle, mode, error);
    if (stream) begin_capture(stream, mode, new CUgraph_st, true, {});
    return error;
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t count,
                                          cudaStreamCaptureMode mode) {
  return call([=] {
    constexpr const char* kCall = "cudaStreamBeginCaptureToGraph";
    cudaError_t error = cudaSuccess;
    CUstream_st* stream = stream_to_capture(kCall, handle, mode, error);
    if (!stream) return error;
    std::vector<CUgraphNode_st*> tip;
    error = refuse_dependencies(kCall, graph, dependencies, edges, count, tip);
    if (error != cudaSuccess) return error;
    if (graph->capturing) {
      return refuse(kCall, cudaErrorIllegalState, "graph is being captured into already");
    }
    begin_capture(stream, mode, graph, false, std::move(tip));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([=] {
    constexpr const char* kCall = "cudaStreamEndCapture";
    if (!graph) return refuse(kCall, cudaErrorInvalidValue, "pGraph is null");
    *graph = nullptr;
    CUstream_st* stream = queue().resolve(handle);
    return stream ? finish_capture(kCall, stream, graph) : refuse_stream(kCall);
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call([=] {
    constexpr const char* kCall = "cudaStreamIsCapturing";
    if (!status) return refuse(kCall, cudaErrorInvalidValue, "pCaptureStatus is null");
    std::shared_ptr<Capture> capture;
    CUstream_st* stream = nullptr;
    const cudaError_t error = capture_of(kCall, handle, capture, stream);
    if (error == cudaSuccess) *status = status_of(capture);
    return error;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return call([=] {
    constexpr const char* kCall = "cudaStreamGetCaptureInfo";
    if (!status) return refuse(kCall, cudaErrorInvalidValue, "captureStatus_out is null");
    if (edges && !dependencies) {
      return refuse(kCall, cudaErrorInvalidValue, "edgeData_out needs dependencies_out");
    }
    std::shared_ptr<Capture> capture;
    CUstream_st* stream = nullptr;
    const cudaError_t error = capture_of(kCall, handle, capture, stream);
    if (error != cudaSuccess) return error;
    *status = status_of(capture);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = capture->id;
    if (graph) *graph = capture->graph;
    if (dependencies) *dependencies = stream->tip.data();
    if (count) *count = stream->tip.size();
    if (edges) *edges = ordinary_edges(stream->tip.size());
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* edges, size_t count,
                                                unsigned int flags) {
  return call([=] {
    constexpr const char* kCall = "cudaStreamUpdateCaptureDependencies";
    CUstream_st* stream = queue().resolve(handle);
    if (!stream) return refuse_stream(kCall);
    if (!stream->capture) {
      return refuse(kCall, cudaErrorIllegalState, "the stream is not being captured");
    }
    if (flags > cudaStreamSetCaptureDependencies) {
      return refuse(kCall, cudaErrorInvalidValue, said("flags is ", flags, "; it must be 0 or 1"));
    }
    std::vector<CUgraphNode_st*> nodes;
    const cudaError_t error =
        refuse_dependencies(kCall, stream->capture->graph, dependencies, edges, count, nodes);
    if (error != cudaSuccess) return error;
    if (flags == cudaStreamSetCaptureDependencies) stream->tip.clear();
    depend_on(stream, stream->capture, nodes);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call([=] {
    constexpr const char* kCall = "cudaThreadExchangeStreamCaptureMode";
    if (!mode) return refuse(kCall, cudaErrorInvalidValue, "mode is null");
    const cudaError_t error = mode_error(kCall, *mode);
    if (error == cudaSuccess) *mode = exchange_capture_mode(*mode);
    return error;
  });
}
}

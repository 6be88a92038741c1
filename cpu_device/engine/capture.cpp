// SPDX-License-Identifier: MIT
#include "cpu_device/engine/capture.h"

#include <algorithm>
#include <utility>

#include "cpu_device/engine/graph.h"
#include "cpu_device/engine/refusal.h"

namespace convkit::simt {
namespace {

std::vector<std::shared_ptr<Capture>> g_captures;  // that have not ended
uint64_t g_captures_made = 0;
thread_local cudaStreamCaptureMode g_mode = cudaStreamCaptureModeGlobal;

bool is_blocking(const Capture& capture) {
  return std::any_of(capture.streams.begin(), capture.streams.end(),
                     [](const CUstream_st* stream) { return stream->blocking; });
}

// Whether the calling thread must not make a potentially unsafe call because of it.
bool forbids_unsafe_calls(const Capture& capture) {
  if (g_mode == cudaStreamCaptureModeRelaxed) return false;
  if (capture.thread == std::this_thread::get_id()) {
    return capture.mode != cudaStreamCaptureModeRelaxed;
  }
  return g_mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
}

// Invalidates the captures that `concerns`; whether there are any.
template <class Concerns>
bool invalidate_all(const Concerns& concerns) {
  bool any = false;
  for (const auto& capture : g_captures) {
    if (!concerns(*capture)) continue;
    invalidate(*capture);
    any = true;
  }
  return any;
}

void capture_node(CUstream_st* stream, Work work) {
  stream->tip = {add_node(*stream->capture->graph, std::move(work), stream->tip)};
}

}  // namespace

void begin_capture(CUstream_st* stream, cudaStreamCaptureMode mode, CUgraph_st* graph,
                   bool owns_graph, std::vector<CUgraphNode_st*> tip) {
  auto capture = std::make_shared<Capture>();
  capture->id = ++g_captures_made;
  capture->origin = stream;
  capture->thread = std::this_thread::get_id();
  capture->mode = mode;
  capture->graph = graph;
  capture->owns_graph = owns_graph;
  graph->capturing = true;
  g_captures.push_back(capture);
  depend_on(stream, capture, tip);
}

void end_capture(Capture& capture) {
  capture.ended = true;
  capture.graph->capturing = false;
  for (CUstream_st* stream : capture.streams) {
    stream->capture = nullptr;
    stream->tip.clear();
  }
  std::erase_if(g_captures, [&](const auto& one) { return one.get() == &capture; });
}

bool all_joined(const Capture& capture) {
  const std::vector<CUgraphNode_st*>& reached = capture.origin->tip;
  return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const auto* stream) {
    return std::all_of(stream->tip.begin(), stream->tip.end(),
                       [&](const CUgraphNode_st* node) { return comes_before(node, reached); });
  });
}

void invalidate(Capture& capture) {
  capture.invalid = true;
}

bool blocking_capture() {
  return std::any_of(g_captures.begin(), g_captures.end(),
                     [](const auto& capture) { return is_blocking(*capture); });
}

void depend_on(CUstream_st* stream, const std::shared_ptr<Capture>& capture,
               const std::vector<CUgraphNode_st*>& nodes) {
  if (!stream->capture) {
    stream->capture = capture;
    capture->streams.push_back(stream);
  }
  for (CUgraphNode_st* node : nodes) {
    const bool is_there =
        std::find(stream->tip.begin(), stream->tip.end(), node) != stream->tip.end();
    if (!is_there) stream->tip.push_back(node);
  }
}

void submit(CUstream_st* stream, Work work) {
  if (stream->capture) {
    capture_node(stream, std::move(work));
  } else {
    queue().push(stream, std::move(work.run), std::move(work.task));
  }
}

cudaError_t capture_conflict(CUstream_st* stream) {
  if (stream->capture) {
    return stream->capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  }
  return stream->legacy && invalidate_all(is_blocking) ? cudaErrorStreamCaptureImplicit
                                                       : cudaSuccess;
}

cudaError_t refuse_in_capture(const char* call, CUstream_st* stream) {
  const cudaError_t error = capture_conflict(stream);
  return error == cudaSuccess ? error : refuse(call, error, why_not_queued(error));
}

cudaError_t refuse_unsafe_in_capture(const char* call) {
  if (!invalidate_all(forbids_unsafe_calls)) return cudaSuccess;
  return refuse(call, cudaErrorStreamCaptureUnsupported,
                "a stream is being captured, and a graph cannot hold what this call does; call it "
                "before cudaStreamBeginCapture()");
}

cudaError_t refuse_device_in_capture(const char* call) {
  if (!invalidate_all([](const Capture&) { return true; })) return cudaSuccess;
  return refuse(call, cudaErrorStreamCaptureUnsupported,
                "a stream is being captured: its operations do not run, so nobody can wait for "
                "the device");
}

cudaError_t refuse_wait_in_capture(const char* call, CUstream_st* stream) {
  if (const cudaError_t error = refuse_in_capture(call, stream); error != cudaSuccess) return error;
  if (!stream->capture) return cudaSuccess;
  invalidate(*stream->capture);
  return refuse(call, cudaErrorStreamCaptureUnsupported,
                "the stream is being captured: its operations do not run, so nobody can wait for "
                "them");
}

cudaError_t refuse_captured_event(const char* call, const Event& event) {
  if (!event.capture) return cudaSuccess;
  invalidate(*event.capture);
  return refuse(call, cudaErrorCapturedEvent,
                "the event was last recorded in a stream that was being captured: it stands for "
                "nodes of a graph");
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(g_mode, mode);
}

}  // namespace convkit::simt

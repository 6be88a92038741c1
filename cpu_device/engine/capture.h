// SPDX-License-Identifier: MIT
// Stream capture: operations of a stream become nodes of a graph instead of running.
//
// Theory of operation. A capture begins in one stream, its origin, and spreads: an event that is
// recorded in a capturing stream stands for the nodes that the stream has reached, and a stream
// that waits for such an event joins the capture. Each of its streams has a tip, the nodes that its
// next node will depend on. The capture ends in its origin, and by then the tips of all other
// streams must lie before the origin's. What cannot be captured is refused, and makes the capture
// invalid, as CUDA says: from then on its streams refuse everything until it has been ended.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cpu_device/engine/queue.h"
#include "cpu_device/engine/work.h"

namespace convkit::simt {

struct Capture {
  uint64_t id = 0;
  CUstream_st* origin = nullptr;
  std::thread::id thread{};
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  CUgraph_st* graph = nullptr;
  bool owns_graph = true;  // else it was the program's before
  bool invalid = false;
  bool ended = false;
  std::vector<CUstream_st*> streams{};
};

// All of these are called with the queue locked.

void begin_capture(CUstream_st* stream, cudaStreamCaptureMode mode, CUgraph_st* graph,
                   bool owns_graph, std::vector<CUgraphNode_st*> tip);
// The streams are free again; the graph is the caller's.
void end_capture(Capture& capture);
// Whether the capture's origin depends on all that its other streams have captured.
bool all_joined(const Capture& capture);
void invalidate(Capture& capture);

// Whether a blocking stream is being captured: the default stream would have to wait for it.
bool blocking_capture();

// The stream takes part in the capture from here on, and its next node depends on these.
void depend_on(CUstream_st* stream, const std::shared_ptr<Capture>& capture,
               const std::vector<CUgraphNode_st*>& nodes);

// An operation of the stream: queued, or captured if the stream is capturing. To be asked before:
// refuse_in_capture().
void submit(CUstream_st* stream, Work work);

// Why the stream takes no operation: another stream is captured and the stream is the default one,
// or its capture is invalid. cudaSuccess, or the error of the call.
cudaError_t capture_conflict(CUstream_st* stream);
cudaError_t refuse_in_capture(const char* call, CUstream_st* stream);

// A call that CUDA calls potentially unsafe: it has an effect that a capture does not see.
cudaError_t refuse_unsafe_in_capture(const char* call);
// A call that waits for the whole device or looks at it, in any mode.
cudaError_t refuse_device_in_capture(const char* call);
// A call that waits for the stream or looks at it.
cudaError_t refuse_wait_in_capture(const char* call, CUstream_st* stream);
// A call that waits for the event or looks at it.
cudaError_t refuse_captured_event(const char* call, const Event& event);

// Of the calling thread; gives the one before back.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

}  // namespace convkit::simt

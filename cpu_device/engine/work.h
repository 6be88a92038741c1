// SPDX-License-Identifier: MIT
// One operation of the device before it has a place: it goes into a stream's queue, or becomes a
// node of a graph, which runs it in every launch.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cpu_device/engine/task.h"
#include "simt/graph_types.h"

namespace convkit::simt {

struct Event;

struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::string name{};              // of a kernel, or of a call: "cudaMemsetAsync"
  std::function<void()> run{};     // may be called many times; null for empty nodes and events
  std::shared_ptr<Task> task{};    // check mode only
  const void* kernel = nullptr;    // its address, where it is known
  bool cooperative = false;        // a launch
  std::shared_ptr<Event> event{};  // that a node records or waits for
};

// Work that touches no data of the device: host functions and events.
Work host_work(const char* call, cudaHostFn_t function, void* user_data);
// type: cudaGraphNodeTypeEventRecord or cudaGraphNodeTypeWaitEvent.
Work event_work(const char* call, cudaGraphNodeType type, const std::shared_ptr<Event>& event);

}  // namespace convkit::simt

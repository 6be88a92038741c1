// SPDX-License-Identifier: MIT
#include "cpu_device/engine/queue.h"

#include <algorithm>
#include <utility>

#include "cpu_device/engine/memory.h"

namespace convkit::simt {
namespace {

// As many launches may be pending on a GPU before the host has to wait.
constexpr size_t kMostPending = 1024;

}  // namespace

Queue::Queue() {
  legacy_.legacy = true;
}

CUstream_st* Queue::resolve(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_;
  if (handle == cudaStreamPerThread) return &legacy_;
  for (const auto& stream : streams_) {
    if (stream.get() == handle) return handle;
  }
  return nullptr;
}

CUstream_st* Queue::create(bool blocking, int priority) {
  auto stream = std::make_unique<CUstream_st>();
  stream->blocking = blocking;
  stream->priority = priority;
  return streams_.insert(std::move(stream)).first->get();
}

void Queue::destroy(CUstream_st* stream) {
  drain(stream);
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const auto& entry) { return entry.get() == stream; });
  if (found != streams_.end()) streams_.erase(found);
}

void Queue::push(CUstream_st* stream, std::function<void()> run) {
  push(stream, std::move(run), true);
}

void Queue::push_upkeep(CUstream_st* stream, std::function<void()> run) {
  push(stream, std::move(run), false);
}

void Queue::push(CUstream_st* stream, std::function<void()> run, bool work) {
  CUstream_st::Operation operation;
  operation.sequence = ++sequence_;
  operation.run = std::move(run);
  operation.work = work;
  stream->pending.push_back(std::move(operation));
  if (++pending_ > kMostPending) make_room();
}

void Queue::make_room() {
  const Gate gate;
  while (pending_ > kMostPending / 2) run_front(oldest());
}

void Queue::push_wait(CUstream_st* stream, const std::shared_ptr<Event>& event) {
  if (event->recorded == 0) return;
  CUstream_st::Operation operation;
  operation.sequence = ++sequence_;
  operation.after_stream = event->stream;
  operation.after_sequence = event->recorded;
  stream->pending.push_back(std::move(operation));
  ++pending_;
}

void Queue::record(CUstream_st* stream, const std::shared_ptr<Event>& event) {
  event->stream = stream;
  event->done = false;
  const uint64_t sequence = sequence_ + 1;
  event->recorded = sequence;
  push_upkeep(stream, [event, sequence] {
    if (event->recorded != sequence) return;  // recorded anew since
    event->at = std::chrono::steady_clock::now();
    event->done = true;
  });
}

// Everything in `stream` that was queued before `sequence`.
void Queue::run_before(CUstream_st* stream, uint64_t sequence) {
  while (!stream->pending.empty() && stream->pending.front().sequence < sequence) run_front(stream);
}

void Queue::run_front(CUstream_st* stream) {
  // It may have to wait for others; those were queued earlier, so this ends.
  const uint64_t sequence = stream->pending.front().sequence;
  if (stream->legacy) {
    for (const auto& other : streams_) {
      if (other->blocking) run_before(other.get(), sequence);
    }
  } else if (stream->blocking) {
    run_before(&legacy_, sequence);
  }
  if (stream->pending.empty() || stream->pending.front().sequence != sequence) return;
  const CUstream_st::Operation operation = std::move(stream->pending.front());
  stream->pending.pop_front();
  --pending_;
  if (CUstream_st* source = operation.after_stream) {
    if (source == &legacy_ || resolve(source)) run_before(source, operation.after_sequence + 1);
  } else {
    operation.run();
  }
}

void Queue::drain(CUstream_st* stream) {
  if (stream->pending.empty()) return;
  const Gate gate;
  run_before(stream, sequence_ + 1);
}

// The stream whose next operation was queued before all others; null when nothing is pending.
CUstream_st* Queue::oldest() {
  CUstream_st* first = legacy_.pending.empty() ? nullptr : &legacy_;
  for (const auto& stream : streams_) {
    if (stream->pending.empty()) continue;
    if (!first || stream->pending.front().sequence < first->pending.front().sequence) {
      first = stream.get();
    }
  }
  return first;
}

void Queue::drain_all() {
  if (pending_ == 0) return;
  const Gate gate;  // open for all of them: opening it costs system calls
  while (CUstream_st* stream = oldest()) run_front(stream);
}

void Queue::drain_event(const Event& event) {
  if (event.done || !event.stream) return;
  const Gate gate;
  run_before(event.stream, event.recorded + 1);
}

bool Queue::poll(CUstream_st* stream) {
  if (stream->pending.empty()) return true;
  run_front(stream);
  return false;
}

size_t Queue::pending_work() const {
  const auto work_in = [](const CUstream_st& stream) {
    return static_cast<size_t>(
        std::count_if(stream.pending.begin(), stream.pending.end(),
                      [](const CUstream_st::Operation& operation) { return operation.work; }));
  };
  size_t work = work_in(legacy_);
  for (const auto& stream : streams_) work += work_in(*stream);
  return work;
}

Queue& queue() {
  static Queue* const the_queue = new Queue;
  return *the_queue;
}

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
// Streams and events. Work is queued and runs as late as CUDA's rules allow: when the host waits
// for it, when something that runs depends on it, or when too much has piled up. A program that
// forgets to wait therefore sees old data on every run, and not once in a thousand.
//
// Order. Operations of one stream run in order. An operation of the legacy default stream runs
// after everything queued before it in blocking streams, and before everything queued after it
// there. Non-blocking streams are ordered with others by events only.
//
// Joined. An operation leaves its stream's list when somebody waits for it: the host, or what the
// host waits for. One that ran without that, to make room, keeps its place in the list, so it is
// known which work nobody has waited for. A destroyed stream goes on until its list is empty.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "cpu_device/engine/task.h"
#include "simt/launch_attributes.h"
#include "simt/runtime_types.h"

struct CUgraphNode_st;

namespace convkit::simt {

struct Capture;

struct Event {
  bool timed = true;
  uint64_t recorded = 0;  // sequence number of the last record; 0: never
  CUstream_st* stream = nullptr;
  bool done = true;  // that record has been reached
  std::chrono::steady_clock::time_point at{};
  Known known{};  // what comes before that record; check mode only
  // Recorded in a stream that was capturing (capture.h): it stands for these nodes; else null.
  std::shared_ptr<Capture> capture{};
  std::vector<CUgraphNode_st*> nodes{};
};

}  // namespace convkit::simt

// The types behind CUDA's opaque handles.
struct CUevent_st {
  std::shared_ptr<convkit::simt::Event> event;
};

struct CUstream_st {
  struct Operation {
    uint64_t sequence = 0;
    std::function<void()> run;            // null for a wait
    bool work = false;                    // something may depend on what it does to memory
    CUstream_st* after_stream = nullptr;  // waited for: what was the event's record at the call
    uint64_t after_sequence = 0;
    size_t together = 1;  // so many, one after the other, that ran to make room
    std::shared_ptr<const convkit::simt::Task> task{};  // check mode only
  };
  bool legacy = false;
  bool blocking = true;
  bool destroyed = false;
  int priority = 0;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes{};  // that were set
  std::deque<Operation> unjoined;
  size_t ran = 0;  // of the first ones in the list: they made room
  std::shared_ptr<const convkit::simt::StreamOrigin> origin{};
  convkit::simt::Known known{};  // what comes before its next operation; check mode only
  std::shared_ptr<convkit::simt::Capture> capture{};  // it takes part in; else null
  std::vector<CUgraphNode_st*> tip{};  // of the capture: what its next node depends on

  bool idle() const { return ran == unjoined.size(); }
};

namespace convkit::simt {

class Queue {
 public:
  Queue();

  // The stream a handle means; null if there is no such stream.
  CUstream_st* resolve(cudaStream_t handle);

  CUstream_st* create(bool blocking, int priority, std::shared_ptr<void> site = nullptr);
  // Waits for nothing: the stream's work goes on, and is joined as before.
  void destroy(CUstream_st* stream);

  // `task`: for check mode; else null.
  void push(CUstream_st* stream, std::function<void()> run, std::shared_ptr<Task> task = nullptr);
  // The same for what has no effect on any data: an event's record, a free.
  void push_upkeep(CUstream_st* stream, std::function<void()> run,
                   std::shared_ptr<Task> task = nullptr);
  void push_wait(CUstream_st* stream, const std::shared_ptr<Event>& event);
  void record(CUstream_st* stream, const std::shared_ptr<Event>& event,
              std::shared_ptr<Task> task = nullptr);

  // What has been queued in the stream so far, as a recorded event; nothing is queued for it.
  // Behind an operation of the stream only: that one is ordered with the default stream.
  std::shared_ptr<Event> mark(CUstream_st* stream) const;

  void drain(CUstream_st* stream);
  void drain_all();
  void drain_event(const Event& event);
  // Runs one operation, for a program that polls. True when nothing was left; the work is joined
  // then, because the program knows that it has been done.
  bool poll(CUstream_st* stream);
  // Runs everything, and nobody has waited for it.
  void run_unjoined();

  // In all streams together.
  size_t pending() const { return pending_; }
  size_t unjoined_work() const;
  size_t pending_work() const;  // that has not run
  // In the order of the calls. Null where check mode does not run.
  std::vector<Unjoined> unjoined_tasks() const;
  // What host code does now, where there is work that nobody has waited for; else null.
  std::shared_ptr<const Task> host_task();
  // Of the operation that runs; null outside of one.
  const std::shared_ptr<const Task>& running_task() const { return running_task_; }

  // Held by every API call: host threads take turns.
  std::recursive_mutex mutex;

 private:
  void push(CUstream_st* stream, std::function<void()> run, bool work, std::shared_ptr<Task> task);
  void order(CUstream_st* stream, uint64_t sequence, Task& task);
  void run(const std::function<void()>& run, const std::shared_ptr<const Task>& task);
  void make_room(size_t most);
  bool exists(const CUstream_st* stream) const;
  void forget_destroyed();
  CUstream_st* oldest_unjoined();
  CUstream_st* oldest_pending();
  void join_front(CUstream_st* stream);
  void join_before(CUstream_st* stream, uint64_t sequence);
  void run_next(CUstream_st* stream);
  void put_together(CUstream_st* stream);
  void run_before(CUstream_st* stream, uint64_t sequence);

  uint64_t sequence_ = 0;
  uint64_t streams_made_ = 0;
  size_t pending_ = 0;
  Known host_;                             // what the host has waited for; check mode only
  std::shared_ptr<const Task> host_task_;  // until it makes a call that changes anything
  size_t host_unjoined_ = 0;               // work then
  std::shared_ptr<const Task> running_task_;
  CUstream_st legacy_;
  std::set<std::unique_ptr<CUstream_st>> streams_;
};

Queue& queue();

}  // namespace convkit::simt

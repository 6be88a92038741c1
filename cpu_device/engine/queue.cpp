// SPDX-License-Identifier: MIT
#include "cpu_device/engine/queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "cpu_device/engine/context.h"
#include "cpu_device/engine/fault.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"

namespace convkit::simt {
namespace {

// As many launches may be pending on a GPU before the host has to wait.
constexpr size_t kMostPending = 1024;

// Check mode tells more.
void tell_what_never_ran(int status, void*) {
  const size_t work = status == 0 && !check_hooks ? queue().pending_work() : 0;
  if (work == 0 || sticky_error() != cudaSuccess) return;
  Fault fault;
  fault.kind = "unwaited_work";
  fault.sentence = "the program ended, and " + std::to_string(work) +
                   (work == 1 ? " launch or copy" : " launches and copies") +
                   " never ran, because nothing waited for " + (work == 1 ? "it." : "them.");
  fault.advice =
      "Call cudaDeviceSynchronize() and look at its error before the program ends. "
      "`convkit cc --check` names the lines.";
  tell(fault, "");
}

}  // namespace

Queue::Queue() {
  legacy_.legacy = true;
  legacy_.origin = std::make_shared<StreamOrigin>();
}

CUstream_st* Queue::resolve(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_;
  if (handle == cudaStreamPerThread) return &legacy_;
  return exists(handle) && !handle->destroyed ? handle : nullptr;
}

bool Queue::exists(const CUstream_st* stream) const {
  return stream == &legacy_ ||
         std::any_of(streams_.begin(), streams_.end(),
                     [&](const auto& entry) { return entry.get() == stream; });
}

void Queue::forget_destroyed() {
  for (auto at = streams_.begin(); at != streams_.end();) {
    if (!(*at)->destroyed || !(*at)->unjoined.empty()) {
      ++at;
      continue;
    }
    (*at)->origin->gone_behind = sequence_;
    const uint64_t number = (*at)->origin->number;
    at = streams_.erase(at);
    host_.forget(number);
    legacy_.known.forget(number);
    for (const auto& stream : streams_) stream->known.forget(number);
  }
}

CUstream_st* Queue::create(bool blocking, int priority, std::shared_ptr<void> site) {
  forget_destroyed();
  auto stream = std::make_unique<CUstream_st>();
  stream->origin =
      std::make_shared<StreamOrigin>(StreamOrigin{++streams_made_, blocking, std::move(site)});
  stream->blocking = blocking;
  stream->priority = priority;
  return streams_.insert(std::move(stream)).first->get();
}

void Queue::destroy(CUstream_st* stream) {
  stream->destroyed = true;
  forget_destroyed();
}

void Queue::push(CUstream_st* stream, std::function<void()> run, std::shared_ptr<Task> task) {
  push(stream, std::move(run), true, std::move(task));
}

void Queue::push_upkeep(CUstream_st* stream, std::function<void()> run,
                        std::shared_ptr<Task> task) {
  push(stream, std::move(run), false, std::move(task));
}

// What comes before the operation, and that it comes before what follows in its stream.
void Queue::order(CUstream_st* stream, uint64_t sequence, Task& task) {
  stream->known.add(host_);
  if (stream->legacy) {
    for (const auto& other : streams_) {
      if (other->blocking) stream->known.add(other->known);
    }
  } else if (stream->blocking) {
    stream->known.add(legacy_.known);
  }
  task.sequence = sequence;
  task.stream = stream->origin;
  task.before = stream->known;
  stream->known.add(stream->origin->number, sequence);
}

void Queue::push(CUstream_st* stream, std::function<void()> run, bool work,
                 std::shared_ptr<Task> task) {
  CUstream_st::Operation operation;
  operation.sequence = ++sequence_;
  operation.run = std::move(run);
  operation.work = work;
  if (task) order(stream, operation.sequence, *task);
  operation.task = std::move(task);
  stream->unjoined.push_back(std::move(operation));
  if (++pending_ > kMostPending) make_room(kMostPending / 2);
}

void Queue::make_room(size_t most) {
  if (pending_ <= most) return;
  const Gate gate;
  while (pending_ > most) run_next(oldest_pending());
}

void Queue::run_unjoined() {
  make_room(0);
}

void Queue::push_wait(CUstream_st* stream, const std::shared_ptr<Event>& event) {
  if (event->recorded == 0) return;
  stream->known.add(event->known);
  CUstream_st::Operation operation;
  operation.sequence = ++sequence_;
  operation.after_stream = event->stream;
  operation.after_sequence = event->recorded;
  stream->unjoined.push_back(std::move(operation));
  ++pending_;
}

void Queue::record(CUstream_st* stream, const std::shared_ptr<Event>& event,
                   std::shared_ptr<Task> task) {
  event->stream = stream;
  event->done = false;
  event->capture = nullptr;
  event->nodes.clear();
  const uint64_t sequence = sequence_ + 1;
  event->recorded = sequence;
  push_upkeep(
      stream,
      [event, sequence] {
        if (event->recorded != sequence) return;  // recorded anew since
        event->at = std::chrono::steady_clock::now();
        event->done = true;
      },
      std::move(task));
  event->known = stream->known;
}

std::shared_ptr<Event> Queue::mark(CUstream_st* stream) const {
  auto event = std::make_shared<Event>();
  event->stream = stream;
  event->recorded = sequence_;
  event->known = stream->known;
  return event;
}

void Queue::run(const std::function<void()>& run, const std::shared_ptr<const Task>& task) {
  running_task_ = task;
  run();
  running_task_ = nullptr;
}

// Everything in `stream` that was queued before `sequence`.
void Queue::join_before(CUstream_st* stream, uint64_t sequence) {
  while (!stream->unjoined.empty() && stream->unjoined.front().sequence < sequence) {
    join_front(stream);
  }
}

void Queue::join_front(CUstream_st* stream) {
  // It may have to wait for others; those were queued earlier, so this ends.
  const uint64_t sequence = stream->unjoined.front().sequence;
  if (stream->legacy) {
    for (const auto& other : streams_) {
      if (other->blocking) join_before(other.get(), sequence);
    }
  } else if (stream->blocking) {
    join_before(&legacy_, sequence);
  }
  if (stream->unjoined.empty() || stream->unjoined.front().sequence != sequence) return;
  const CUstream_st::Operation operation = std::move(stream->unjoined.front());
  stream->unjoined.pop_front();
  const bool has_run = stream->ran > 0;
  --(has_run ? stream->ran : pending_);
  if (operation.task) {
    host_.add(operation.task->before);
    host_.add(stream->origin->number, sequence);
  }
  if (CUstream_st* source = operation.after_stream) {
    if (exists(source)) join_before(source, operation.after_sequence + 1);
  } else if (!has_run) {
    run(operation.run, operation.task);
  }
}

// The same without joining: what runs stays in the lists.
void Queue::run_before(CUstream_st* stream, uint64_t sequence) {
  while (!stream->idle() && stream->unjoined[stream->ran].sequence < sequence) run_next(stream);
}

void Queue::run_next(CUstream_st* stream) {
  const uint64_t sequence = stream->unjoined[stream->ran].sequence;
  if (stream->legacy) {
    for (const auto& other : streams_) {
      if (other->blocking) run_before(other.get(), sequence);
    }
  } else if (stream->blocking) {
    run_before(&legacy_, sequence);
  }
  if (stream->idle() || stream->unjoined[stream->ran].sequence != sequence) return;
  CUstream_st::Operation& operation = stream->unjoined[stream->ran];
  const std::function<void()> work = std::move(operation.run);
  const std::shared_ptr<const Task> task = operation.task;
  CUstream_st* const source = operation.after_stream;
  const uint64_t after_sequence = operation.after_sequence;
  operation.run = nullptr;
  ++stream->ran;
  --pending_;
  put_together(stream);
  if (source) {
    if (exists(source)) run_before(source, after_sequence + 1);
  } else {
    run(work, task);
  }
}

// What ran last and the one before it, if both are work: no event tells them apart, and whoever has
// not waited for the later one has work that is not joined. So a loop of launches takes no memory.
void Queue::put_together(CUstream_st* stream) {
  if (stream->ran < 2) return;
  CUstream_st::Operation& last = stream->unjoined[stream->ran - 1];
  const CUstream_st::Operation& before = stream->unjoined[stream->ran - 2];
  if (!last.work || !before.work) return;
  last.together += before.together;
  stream->unjoined.erase(stream->unjoined.begin() + static_cast<ptrdiff_t>(stream->ran) - 2);
  --stream->ran;
}

void Queue::drain(CUstream_st* stream) {
  if (stream->unjoined.empty()) return;
  const Gate gate;
  join_before(stream, sequence_ + 1);
}

// The stream whose first operation was queued before those of all others; null if there is none.
CUstream_st* Queue::oldest_unjoined() {
  CUstream_st* first = legacy_.unjoined.empty() ? nullptr : &legacy_;
  for (const auto& stream : streams_) {
    if (stream->unjoined.empty()) continue;
    if (!first || stream->unjoined.front().sequence < first->unjoined.front().sequence) {
      first = stream.get();
    }
  }
  return first;
}

// The same of operations that have not run.
CUstream_st* Queue::oldest_pending() {
  CUstream_st* first = legacy_.idle() ? nullptr : &legacy_;
  for (const auto& stream : streams_) {
    if (stream->idle()) continue;
    if (!first || stream->unjoined[stream->ran].sequence < first->unjoined[first->ran].sequence) {
      first = stream.get();
    }
  }
  return first;
}

void Queue::drain_all() {
  if (!oldest_unjoined()) return;
  const Gate gate;  // open for all of them: opening it costs system calls
  while (CUstream_st* stream = oldest_unjoined()) join_front(stream);
}

void Queue::drain_event(const Event& event) {
  if (!exists(event.stream)) return;
  if (event.done) {
    join_before(event.stream, event.recorded + 1);  // nothing of that has yet to run
    return;
  }
  const Gate gate;
  join_before(event.stream, event.recorded + 1);
}

bool Queue::poll(CUstream_st* stream) {
  if (!stream->idle()) {
    run_next(stream);
    return false;
  }
  drain(stream);
  return true;
}

size_t Queue::unjoined_work() const {
  const auto work_in = [](const CUstream_st& stream) {
    size_t work = 0;
    for (const CUstream_st::Operation& operation : stream.unjoined) {
      if (operation.work) work += operation.together;
    }
    return work;
  };
  size_t work = work_in(legacy_);
  for (const auto& stream : streams_) work += work_in(*stream);
  return work;
}

size_t Queue::pending_work() const {
  const auto pending_in = [](const CUstream_st& stream) {
    return std::count_if(stream.unjoined.begin() + static_cast<ptrdiff_t>(stream.ran),
                         stream.unjoined.end(),
                         [](const CUstream_st::Operation& operation) { return operation.work; });
  };
  auto work = pending_in(legacy_);
  for (const auto& stream : streams_) work += pending_in(*stream);
  return static_cast<size_t>(work);
}

std::vector<Unjoined> Queue::unjoined_tasks() const {
  std::vector<Unjoined> tasks;
  const auto take = [&](const CUstream_st& stream) {
    std::shared_ptr<const Task> event;
    for (auto at = stream.unjoined.rbegin(); at != stream.unjoined.rend(); ++at) {
      if (at->work) {
        tasks.push_back({at->task, stream.origin->number, at->together, event});
      } else if (at->task && at->task->name == "cudaEventRecord") {
        event = at->task;
      }
    }
  };
  take(legacy_);
  for (const auto& stream : streams_) take(*stream);
  const auto sequence = [](const Unjoined& one) { return one.task ? one.task->sequence : 0; };
  std::sort(tasks.begin(), tasks.end(), [&](const Unjoined& one, const Unjoined& other) {
    return sequence(one) < sequence(other);
  });
  return tasks;
}

std::shared_ptr<const Task> Queue::host_task() {
  const size_t unjoined = unjoined_work();
  if (unjoined == 0) return nullptr;
  const bool is_known =
      host_task_ && host_task_->sequence == sequence_ + 1 && host_unjoined_ == unjoined;
  if (!is_known) {
    const auto task = std::make_shared<Task>();
    const auto origin = std::make_shared<StreamOrigin>();
    origin->number = std::numeric_limits<uint64_t>::max();
    task->is_host = true;
    task->sequence = sequence_ + 1;
    task->stream = origin;
    task->before = host_;
    host_task_ = task;
    host_unjoined_ = unjoined;
  }
  return host_task_;
}

Queue& queue() {
  static Queue* const the_queue = [] {
    on_exit(tell_what_never_ran, nullptr);
    return new Queue;
  }();
  return *the_queue;
}

}  // namespace convkit::simt

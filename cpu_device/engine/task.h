// SPDX-License-Identifier: MIT
// For check mode: what an operation of a stream is, where it was asked for, and which operations
// come before it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace convkit::simt {

// Of each stream, by its number, the last operation that comes before; none if it is not there.
class Known {
 public:
  bool has(uint64_t stream, uint64_t sequence) const {
    const auto found = last_.find(stream);
    return found != last_.end() && found->second >= sequence;
  }
  void add(uint64_t stream, uint64_t sequence) {
    uint64_t& last = last_[stream];
    if (last < sequence) last = sequence;
  }
  void add(const Known& other) {
    for (const auto& [stream, sequence] : other.last_) add(stream, sequence);
  }
  void forget(uint64_t stream) { last_.erase(stream); }

 private:
  std::map<uint64_t, uint64_t> last_;
};

// Who made a stream. It outlives the stream.
struct StreamOrigin {
  uint64_t number = 0;  // 0: the default stream
  bool blocking = true;
  std::shared_ptr<void> site{};  // of the call
  // It was destroyed, and all that was in it is joined: that comes before what is queued behind
  // this operation. From then on its number is in no Known any more.
  mutable uint64_t gone_behind = std::numeric_limits<uint64_t>::max();
};

// A launch of a graph.
struct GraphLaunch {
  std::shared_ptr<void> site{};  // of the call
  std::shared_ptr<const StreamOrigin> stream{};
};

struct Task {
  std::string name;  // of a kernel, or of a call: "cudaMemsetAsync"
  bool is_launch = false;
  bool is_host = false;        // no operation, but what host code does between two of its calls
  const char* file = nullptr;  // of a launch
  int line = 0;
  std::shared_ptr<void> site{};                // of the call, with what led to it
  std::shared_ptr<const GraphLaunch> graph{};  // that runs it; else null

  // The queue's part.
  uint64_t sequence = 0;
  std::shared_ptr<const StreamOrigin> stream{};
  Known before{};

  bool comes_before(const Task& later) const {
    if (is_host) return later.sequence >= sequence;
    if (later.sequence > stream->gone_behind) return true;
    return stream->number == later.stream->number ? sequence <= later.sequence
                                                  : later.before.has(stream->number, sequence);
  }
};

// Null in plain mode, which asks for none of this. To be called in the function of the API itself.
std::shared_ptr<Task> task_of_call(const char* name);
std::shared_ptr<Task> task_of_launch(const std::string& kernel, const char* file, int line);

// Work that nobody has waited for.
struct Unjoined {
  std::shared_ptr<const Task> task;  // the last, where several ran to make room
  uint64_t stream = 0;               // its number
  size_t count = 1;
  std::shared_ptr<const Task> event;  // the record of an event behind it in its stream, or null
};

}  // namespace convkit::simt

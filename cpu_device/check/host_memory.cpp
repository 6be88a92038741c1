// SPDX-License-Identifier: MIT
#include "cpu_device/check/host_memory.h"

#include <malloc.h>
#include <unwind.h>

#include <iterator>
#include <map>
#include <mutex>

#include "cpu_device/check/loaded_objects.h"

namespace convkit::simt::check {
namespace {

constexpr size_t kNoRoomKnown = ~size_t{0};

struct KnownRoom {
  const void* pointer = nullptr;
  size_t room = kNoRoomKnown;
};
thread_local KnownRoom g_known_rooms[2];

std::mutex g_blocks_mutex;
// The map itself allocates, perhaps with the program's operator new, which comes here again.
thread_local bool g_is_noting = false;

class Noting {
 public:
  Noting() : is_first_(!g_is_noting) {
    g_is_noting = true;
    if (is_first_) g_blocks_mutex.lock();
  }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;
  ~Noting() {
    if (!is_first_) return;
    g_blocks_mutex.unlock();
    g_is_noting = false;
  }
  explicit operator bool() const { return is_first_; }

 private:
  const bool is_first_;
};

std::map<uintptr_t, size_t>& blocks() {
  static auto* const by_begin = new std::map<uintptr_t, size_t>;
  return *by_begin;
}

// A library may have freed the block since, and there may be another one, of another size. (The
// C library rounds sizes up: large ones to pages.)
bool is_still_there(uintptr_t begin, size_t bytes) {
  const size_t usable = malloc_usable_size(reinterpret_cast<void*>(begin));
  return usable >= bytes && usable - bytes <= (bytes < 65536 ? 64 : 8192);
}

std::optional<HostRoom> room_in_block(uintptr_t at) {
  const Noting noting;
  const auto after = blocks().upper_bound(at);
  if (after == blocks().begin()) return std::nullopt;
  const auto& [begin, bytes] = *std::prev(after);
  if (at - begin >= bytes || !is_still_there(begin, bytes)) return std::nullopt;
  return HostRoom{begin + bytes - at, "its block of the heap"};
}

std::optional<HostRoom> room_in_variable(uintptr_t at) {
  const LoadedObject object = loaded_object_at(at);
  if (!object.segment.holds(at)) return std::nullopt;
  const uint64_t offset = at - object.base;
  const Variable* variable = nearest_variable(variables_of(object).data, offset);
  if (variable == nullptr || offset - variable->begin >= variable->bytes) return std::nullopt;
  return HostRoom{variable->begin + variable->bytes - offset, "its variable"};
}

// The frames of the calling thread, from the innermost outwards: each ends where the next begins.
struct Frames {
  uintptr_t at = 0, begin = 0;  // what is looked for; of the frame before
  size_t room = 0;              // 0: not found
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& frames = *static_cast<Frames*>(argument);
  const auto begin = static_cast<uintptr_t>(_Unwind_GetCFA(context));
  if (frames.begin != 0 && frames.at >= frames.begin && frames.at < begin) {
    frames.room = begin - frames.at;
  }
  const bool passed = begin > frames.at;
  frames.begin = begin;
  return passed ? _URC_END_OF_STACK : _URC_NO_REASON;
}

std::optional<HostRoom> room_in_frame(uintptr_t at) {
  Frames frames;
  frames.at = at;
  _Unwind_Backtrace(visit, &frames);
  if (frames.room == 0) return std::nullopt;
  return HostRoom{frames.room, "the stack of the function that has it"};
}

}  // namespace

std::optional<HostRoom> host_room(const void* pointer) {
  for (const KnownRoom& known : g_known_rooms) {
    if (known.pointer == pointer && known.room != kNoRoomKnown)
      return HostRoom{known.room, "its array"};
  }
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  if (const auto block = room_in_block(at)) return block;
  if (const auto variable = room_in_variable(at)) return variable;
  return room_in_frame(at);
}

void host_block_taken(void* memory, size_t bytes) {
  const Noting noting;
  if (!noting) return;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  // What libraries have freed without a word.
  auto old = blocks().lower_bound(begin);
  while (old != blocks().end() && old->first < begin + bytes) old = blocks().erase(old);
  blocks()[begin] = bytes;
}

void host_block_left(void* memory) {
  const Noting noting;
  if (noting) blocks().erase(reinterpret_cast<uintptr_t>(memory));
}

}  // namespace convkit::simt::check

void convkit_simt_note_rooms(const void* to, size_t to_room, const void* from, size_t from_room) {
  using namespace convkit::simt::check;
  g_known_rooms[0] = {to, to_room};
  g_known_rooms[1] = {from, from_room};
}

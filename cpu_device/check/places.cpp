// SPDX-License-Identifier: MIT
#include "cpu_device/check/places.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "cpu_device/check/address_ranges.h"
#include "cpu_device/check/device_heap.h"
#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/check/memory_log.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/tensors.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/shared_memory.h"

namespace convkit::simt::check {

SharedHull shared_hull;

namespace {

constexpr uintptr_t kNullBytes = 65536;
// Accesses this close to shared memory are reported as accesses outside of it.
constexpr uintptr_t kNearby = 4096;
// An address in the range of device memory belongs to the nearest allocation, however far.
constexpr size_t kAnySlack = size_t{1} << 40;

struct Launch {
  Range arguments;
  Range dynamic;             // what the launch asked for
  std::vector<Range> fixed;  // thread-local storage of the objects with device code
  unsigned generation = ~0u;
  uintptr_t os_thread = 0;
};
Launch g_launch;

const Range* fixed_range_at(uintptr_t at, uintptr_t slack = 0) {
  for (const Range& range : g_launch.fixed) {
    if (at - (range.begin - slack) < range.bytes + 2 * slack) return &range;
  }
  return nullptr;
}

Place variable_place(Region region, uintptr_t base, const Variable& variable, bool named) {
  return {region, base + variable.begin, variable.bytes,
          named ? "`" + variable.name() + "`" : std::string(), ""};
}

Place static_shared_place(const Range& range, uintptr_t at, bool named) {
  const auto& variables = variables_of(loaded_object_at(range.begin)).thread_local_;
  const Variable* variable = nearest_variable(variables, at - range.begin);
  if (variable == nullptr) return {Region::static_shared, range.begin, range.bytes, "", ""};
  Place place = variable_place(Region::static_shared, range.begin, *variable, named);
  place.remark = " of shared memory";
  if (!place.holds(at)) place.region = Region::beside_shared;
  return place;
}

Place dynamic_shared_place(uintptr_t at) {
  const Region region = g_launch.dynamic.holds(at) ? Region::dynamic_shared : Region::beside_shared;
  return {region, g_launch.dynamic.begin, g_launch.dynamic.bytes, "the dynamic shared memory",
          " that the launch asked for"};
}

Place shared_place(uintptr_t at, bool named) {
  const auto dynamic = reinterpret_cast<uintptr_t>(dynamic_shared_memory());
  if (at - dynamic < kSharedBytesOptIn) return dynamic_shared_place(at);
  if (const Range* range = fixed_range_at(at)) return static_shared_place(*range, at, named);
  return {};
}

// For what is nothing else. A library's shared arrays may lie on the heap, with allocations beside.
Place place_near_shared(uintptr_t at, bool named) {
  const auto dynamic = reinterpret_cast<uintptr_t>(dynamic_shared_memory());
  if (const Range* range = fixed_range_at(at, kNearby)) {
    return static_shared_place(*range, at, named);
  }
  if (at - (dynamic - kNearby) < kSharedBytesOptIn + 2 * kNearby) return dynamic_shared_place(at);
  return {};
}

Place program_place(uintptr_t at, bool named) {
  const LoadedObject object = loaded_object_at(at);
  if (object.segment.bytes == 0) return {};
  const Place anything{Region::program, object.segment.begin, object.segment.bytes, "", ""};
  // Constants that the compiler makes have no names.
  if (!object.writable || object.made_read_only.holds(at)) return anything;
  const auto& variables = variables_of(object).data;
  const Variable* variable = nearest_variable(variables, at - object.base);
  if (variable == nullptr) return anything;
  Place place = variable_place(Region::program, object.base, *variable, named);
  if (!place.holds(at)) place.region = Region::beside_program;
  return place;
}

Place allocation_place(uintptr_t at, const Allocation& allocation, bool named) {
  Place place;
  place.begin = reinterpret_cast<uintptr_t>(allocation.begin);
  place.bytes = allocation.bytes;
  place.region = allocation.freed                        ? Region::freed
                 : !place.holds(at)                      ? Region::no_allocation
                 : allocation.kind == MemoryKind::device ? Region::device
                                                         : Region::open;
  if (named) {
    const NamedPart part = named_part(allocation);
    place.name = part.name;
    if (part.begin == allocation.begin && part.element_bytes != 0) {
      place.dims = part.dims;
      place.element_bytes = part.element_bytes;
    }
    place.remark = allocation_remark(allocation);
  }
  return place;
}

bool exists(uintptr_t at) {
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(at & ~(kPage - 1)), 1, &resident) == 0 || errno != ENOMEM;
}

Place look(uintptr_t at, bool named) {
  if (at < kNullBytes) return {Region::null, 0, 0, "", ""};
  const auto* address = reinterpret_cast<const void*>(at);
  if (is_device_address(address)) {
    const auto allocation = allocation_at(address, named ? kAnySlack : 0);
    if (allocation) return allocation_place(at, *allocation, named);
    return {Region::no_allocation, 0, 0, "", ""};
  }
  if (is_thread_stack(address)) return {Region::stack, 0, 0, "", ""};
  if (const HeapPiece piece = heap_piece_at(at); piece.bytes != 0) {
    return {Region::open, piece.begin, piece.bytes, "memory that a kernel allocated", ""};
  }
  if (g_launch.arguments.holds(at)) {
    return {Region::engine, g_launch.arguments.begin, g_launch.arguments.bytes, "", ""};
  }
  Place place = program_place(at, named);
  if (place.region != Region::nowhere) return place;
  if (is_builtin_variable(address)) return {Region::engine, at & ~uintptr_t{3}, 4, "", ""};
  place = shared_place(at, named);
  if (place.region != Region::nowhere) return place;
  if (const auto allocation = allocation_at(address, 0)) {
    return allocation_place(at, *allocation, named);
  }
  place = place_near_shared(at, named);
  if (place.region != Region::nowhere) return place;
  return {exists(at) ? Region::host : Region::nowhere, 0, 0, "", ""};
}

}  // namespace

void know_launch(uintptr_t arguments, size_t arguments_bytes, size_t shared_bytes) {
  g_launch.arguments = {arguments, arguments_bytes};
  g_launch.dynamic.bytes = shared_bytes;
  know_shared_memory();
}

void know_shared_memory() {
  g_launch.dynamic.begin = reinterpret_cast<uintptr_t>(dynamic_shared_memory());
  const bool known =
      g_launch.generation == device_code_generation() && g_launch.os_thread == this_os_thread();
  if (known) return;
  g_launch.generation = device_code_generation();
  g_launch.os_thread = this_os_thread();
  g_launch.fixed.clear();
  for (const SharedRange& range : static_shared_memory()) {
    g_launch.fixed.push_back({reinterpret_cast<uintptr_t>(range.begin), range.bytes});
  }
  SharedLayout layout{{g_launch.dynamic.begin, kSharedBytesOptIn}, g_launch.fixed, {}, 0};
  for (const void* variable : builtin_variables()) {
    layout.engine.push_back(reinterpret_cast<uintptr_t>(variable));
  }
  layout.thread = this_os_thread();
  shared_hull = hull_of(layout);
}

bool is_launch_argument(size_t number) {
  const Range& arguments = g_launch.arguments;
  const auto holds = [&](auto value) {
    for (size_t at = 0; at + sizeof value <= arguments.bytes; at += sizeof value) {
      decltype(value) other{};
      std::memcpy(&other, reinterpret_cast<const void*>(arguments.begin + at), sizeof other);
      if (other == value) return true;
    }
    return false;
  };
  return holds(static_cast<uint64_t>(number)) ||
         (number <= UINT32_MAX && holds(static_cast<uint32_t>(number)));
}

bool is_given_twice(uintptr_t begin, size_t bytes) {
  const Range& arguments = g_launch.arguments;
  unsigned given = 0;
  for (size_t at = 0; at + sizeof(uintptr_t) <= arguments.bytes; at += sizeof(uintptr_t)) {
    uintptr_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(arguments.begin + at), sizeof value);
    if (value - begin < bytes) ++given;
  }
  return given > 1;
}

SharedHull hull_of(const SharedLayout& layout) {
  // What lies between the dynamic array and the thread's own data is thread-local storage. Beyond
  // it anything may lie: the heap, too, on which kernels allocate.
  const uintptr_t dynamic_end = layout.dynamic.begin + layout.dynamic.bytes;
  const uintptr_t lowest = std::min(layout.dynamic.begin, layout.thread);
  const uintptr_t highest = std::max(dynamic_end, layout.thread);
  SharedHull hull{layout.dynamic.begin, layout.dynamic.bytes, false};
  for (const Range& range : layout.fixed) {
    const uintptr_t low = std::min(hull.begin, range.begin);
    const uintptr_t high = std::max(hull.begin + hull.bytes, range.begin + range.bytes);
    // On arm64 the program's arrays come first: threadIdx is between them and the dynamic array.
    const bool apart = std::any_of(layout.engine.begin(), layout.engine.end(),
                                   [&](uintptr_t at) { return low <= at && at < high; });
    if (apart || low < lowest || high > highest) {
      hull.more_elsewhere = true;
    } else {
      hull = {low, high - low, hull.more_elsewhere};
    }
  }
  return hull;
}

bool is_shared_elsewhere(uintptr_t at) {
  return fixed_range_at(at) != nullptr;
}

Place find_place(uintptr_t at) {
  return look(at, false);
}

Place name_place(uintptr_t at) {
  return look(at, true);
}

Place array_overrun(uintptr_t at, int64_t index, uint64_t count) {
  const auto overrun = [&](const std::vector<Variable>& variables, uintptr_t base, Region region) {
    for (const Variable& variable : variables) {
      if (count == 0 || variable.bytes % count != 0) continue;
      const auto element = static_cast<int64_t>(variable.bytes / count);
      const uintptr_t first = base + variable.begin + static_cast<uintptr_t>(index * element);
      if (at - first < static_cast<uintptr_t>(element)) {
        return variable_place(region, base, variable, true);
      }
    }
    return Place{};
  };
  for (const Range& range : g_launch.fixed) {
    const auto& variables = variables_of(loaded_object_at(range.begin)).thread_local_;
    Place place = overrun(variables, range.begin, Region::beside_shared);
    place.remark = " of shared memory";
    if (!place.name.empty()) return place;
  }
  const LoadedObject object = loaded_object_at(at);
  return overrun(variables_of(object).data, object.base, Region::beside_program);
}

std::string describe(const Place& place, uintptr_t at, size_t size) {
  if (place.begin == 0) return place.name.empty() ? "memory" : place.name;
  const std::string what = (place.name.empty() ? "memory" : place.name) + " (" +
                           (place.dims.empty() ? "" : shape_text(place.dims) + ", ") +
                           std::to_string(place.bytes) + " bytes" + place.remark + ")";
  if (at < place.begin) {
    return std::to_string(place.begin - at) + " bytes before the beginning of " + what;
  }
  const size_t offset = at - place.begin;
  if (offset >= place.bytes) {
    const size_t beyond = offset - place.bytes;
    return (beyond == 0 ? "just" : std::to_string(beyond) + " bytes") + " past the end of " + what;
  }
  const bool is_element = !place.dims.empty() && offset % place.element_bytes == 0;
  if (is_element) {
    const auto element = static_cast<int64_t>(offset / place.element_bytes);
    return coordinates(place.name, place.dims, element) + " (" + place.name + " is " +
           shape_text(place.dims) + ")";
  }
  std::string part = "byte " + std::to_string(offset);
  if (size > 1 && size <= 16 && offset % size == 0 && place.bytes > size) {
    part = "element " + std::to_string(offset / size) + " (" + part + ")";
  }
  return place.bytes == size ? what : part + " of " + what;
}

}  // namespace convkit::simt::check

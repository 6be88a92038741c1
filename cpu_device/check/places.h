// SPDX-License-Identifier: MIT
// Names an address: the allocation, shared array or variable that it belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/engine/memory.h"

namespace convkit::simt::check {

enum class Region {
  device,          // of cudaMalloc, alive
  open,            // managed, pinned or registered, or of a kernel's own malloc()
  freed,           // was device memory
  no_allocation,   // in the range of device memory, and in no allocation
  static_shared,   // a shared array
  dynamic_shared,  // of the bytes that the launch asked for
  beside_shared,   // in the shared memory's neighbourhood, and in none of the two
  program,         // a variable, a constant or a literal of the program
  beside_program,  // among the program's variables, and in none of them
  engine,          // threadIdx and its companions, the kernel's arguments
  stack,           // of a thread of the block
  null,
  host,  // other memory that exists
  nowhere,
};

struct Place {
  Region region = Region::nowhere;
  uintptr_t begin = 0;  // of the allocation, array or variable; 0: there is none
  size_t bytes = 0;     // how large it is
  std::string name;     // "`tile`", "allocation 2"
  std::string remark;   // what follows its size: ", made at tile.cu:7"
  // Of a tensor of the case; else empty.
  std::vector<int64_t> dims{};
  size_t element_bytes = 0;

  bool holds(uintptr_t at) const { return begin != 0 && at >= begin && at - begin < bytes; }
};

// The data of the launch that begins. Called by the worker that runs it, as the next one is.
void know_launch(uintptr_t arguments, size_t arguments_bytes, size_t shared_bytes);

// Another worker goes on with a cooperative launch: its shared memory is another one.
void know_shared_memory();

// Whether one of the numbers that the running launch was given is this one.
bool is_launch_argument(size_t number);

// Whether two of its pointers, or more, point into this memory.
bool is_given_twice(uintptr_t begin, size_t bytes);

// Where things lie in the worker's thread-local storage.
struct SharedLayout {
  Range dynamic;                  // the whole array, not only what a launch asks for
  std::vector<Range> fixed;       // thread-local storage of each object with device code
  std::vector<uintptr_t> engine;  // of threadIdx and its companions
  uintptr_t thread = 0;           // the thread's own data
};

// Shared arrays, the dynamic one and the static ones of the program, may lie together; those of a
// library that was loaded later lie elsewhere.
struct SharedHull {
  uintptr_t begin = 0, bytes = 0;
  bool more_elsewhere = false;
};
extern SharedHull shared_hull __attribute__((visibility("hidden")));
SharedHull hull_of(const SharedLayout& layout);
bool is_shared_elsewhere(uintptr_t at);

inline bool is_shared(uintptr_t at) {
  return at - shared_hull.begin < shared_hull.bytes ||
         (__builtin_expect(shared_hull.more_elsewhere, 0) && is_shared_elsewhere(at));
}

// What is at the address: its region, and its allocation, variable or segment.
Place find_place(uintptr_t at);

// The same for a report: with names, and the nearest allocation or array where the address is in
// none.
Place name_place(uintptr_t at);

// The static shared array or variable of the program of which element `index` of `count` would lie
// at `at`, though it has only `count`. The name is empty if there is none.
Place array_overrun(uintptr_t at, int64_t index, uint64_t count);

// "element 3 (byte 12) of `tile` (1024 bytes)", "4 bytes past the end of allocation 1 (40 bytes,
// made at saxpy.cu:12)". `size` is that of the access.
std::string describe(const Place& place, uintptr_t at, size_t size);

}  // namespace convkit::simt::check

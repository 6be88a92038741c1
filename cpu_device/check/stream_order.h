// SPDX-License-Identifier: MIT
// Work of several streams that uses the same memory in no order. Whether one operation comes before
// another is known from the calls (engine/task.h): streams, events, and what the host waited for. A
// kernel's accesses have stamps, and stamps tell the launch; of copies, memsets and calls of
// libraries the ranges are remembered. What is no longer remembered counts as ordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cpu_device/check/grid_family.h"
#include "cpu_device/check/judge.h"
#include "cpu_device/check/source_lines.h"
#include "cpu_device/check/tensors.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

struct KnownLaunch {
  uint32_t first_event;
  std::shared_ptr<const Task> task;  // a child grid's is that of the launch by the host
  GridShape grid;
  uint64_t number;  // no other has it
  std::shared_ptr<const Birth> birth;
  std::string text;  // "child_kernel, launched at f.cu:12"
};
// The launch that an event belongs to; null if it is no longer known. Valid until the next launch.
const KnownLaunch* known_launch(uint32_t event);

// A launch has begun, in the present.
void order_launch(const Grid& grid);
uint64_t number_of_running_launch();  // 0 where it is not known
// Events have got other numbers.
void forget_launches();

// The launch that made the access, if nothing orders the two; else null. Valid until the next one.
const KnownLaunch* unordered_launch(Stamp access);
// How it stands to the running launch, if both come of one launch by the host.
Kinship kinship_of(const KnownLaunch& earlier);

// The running copy, memset or call of a library is about to use these. Reports
// `race_across_streams`.
void use_in_stream(uintptr_t begin, size_t bytes, bool writes);
// Host code's access to memory that kernels and copies use. Reports `race_with_host`, now or when
// the work runs that nothing has waited for.
void use_by_host(const Access& access);
// The running kernel's access, if a copy or the host uses the memory in no order with the launch.
void look_for_copies(const Access& access);
// A stream frees these.
void free_in_stream(const Allocation& allocation);

// How to order the two.
std::string order_advice(const Task& one, const Task& other);

// "conv_kernel, launched at tiled.cu:40" or "cudaMemset, called at tiled.cu:38"
std::string task_text(const Task& task);
// The line of the launch or call, to be quoted; empty where that cannot be.
SourceLine task_line(const Task& task);
// ", called from code@1a,2b": where lines are addresses, what led to the running launch, itself
// first. Else "".
std::string callers_of_running_launch();
// "the default stream", "the stream made at tiled.cu:12"
std::string stream_text(const StreamOrigin& stream);
// Where the operation was: "on the default stream", "in the graph launched at tiled.cu:50 on the
// default stream"
std::string place_text(const Task& task);

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
// The device memory of a timing: the grader's side of device_memory/protocol.h.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "device_memory/protocol.h"
#include "process/file_descriptor.h"
#include "process/process.h"
#include "session/session.h"
#include "stage/stage.h"

namespace convkit {

using InputKey = std::array<uint32_t, 8>;

// Which elements of a request's outputs are judged: of each call those that `seed` draws, and all
// of call `full`.
struct Draw {
  uint64_t seed = 0;
  uint32_t full = 0;
};

// All functions but the first throw KitError where the process that owns the memory cannot go on.
class TimingMemory {
 public:
  // `program`: convkit-gpu-memory. A region with slots for at most `most_calls` calls is made for
  // each of `regions` contestants. `magnitudes` has those of each input.
  TimingMemory(const std::filesystem::path& program, const SpeedCase& speed, uint32_t regions,
               uint32_t most_calls, const std::vector<std::vector<float>>& magnitudes);
  ~TimingMemory();
  TimingMemory(const TimingMemory&) = delete;
  TimingMemory& operator=(const TimingMemory&) = delete;

  uint32_t slots() const { return slots_; }
  DeviceSlots slots_of(uint32_t region) const;

  // Both return the seconds in which the device wrote that.
  double poison(uint32_t region, uint32_t calls);
  double reveal(uint32_t region, uint32_t calls, const InputKey& key);
  void reveal_magnitudes(uint32_t region, uint32_t calls);
  // Waits until the device has kept what is judged.
  void snapshot(uint32_t region, uint32_t calls, const Draw& draw);
  struct State {
    double idle_s = 0;         // what a kernel takes that does nothing: far more where another
                               // process uses the device
    bool slowed_down = false;  // by heat, or by too little power
  };
  State state();

  // What the last snapshot kept; valid until the next fetch.
  struct Kept {
    std::span<const float> output;   // of call `full`
    std::span<const float> samples;  // of one call after the other
  };
  Kept fetch(uint32_t calls);
  // Input `input` of a call, as its slot has it now.
  void fetch_inputs(uint32_t region, uint32_t call);
  std::span<const float> fetched_input(size_t input) const;

  // The element of the output that the sample `sample` of a call is.
  uint64_t place(const Draw& draw, uint64_t call, uint64_t sample) const;
  uint64_t sampled() const { return device_memory::sampled_of(layout_); }

 private:
  device_memory::Reply ask(const device_memory::Request& request);
  FileDescriptor receive_descriptor();
  std::span<const float> exchanged(uint64_t at, uint64_t elements) const {
    return {exchange_ + at, elements};
  }

  device_memory::Layout layout_;
  std::vector<DeviceSlots::Tensor> inputs_, outputs_;
  uint32_t slots_ = 0;
  uint64_t region_bytes_ = 0;
  float* exchange_ = nullptr;
  size_t exchange_bytes_ = 0;
  FileDescriptor socket_;
  std::unique_ptr<Process> process_;
  std::vector<FileDescriptor> regions_;
};

}  // namespace convkit

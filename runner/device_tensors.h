// SPDX-License-Identifier: MIT
// The tensors of one case in device memory. Runners of CPU stages have none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct CUstream_st;

namespace convkit::runner {

class DeviceTensors {
 public:
  virtual ~DeviceTensors() = default;

  // Makes room for `bytes` on the device for the tensor whose host memory is `host`. Throws
  // harness::CaseError.
  virtual void* add(const std::string& name, unsigned char* host, size_t bytes, bool output) = 0;
  // What lies at the address that add() returned: reports of the CPU device have its coordinates.
  virtual void describe(const void* /*data*/, std::span<const int64_t> /*dims*/,
                        size_t /*element_bytes*/, bool /*output*/) {}
  // The same as add() for memory that is not a tensor of the case: nothing is copied to it or from
  // it. Throws harness::CudaFailure if the device does not have enough.
  virtual void* add_scratch(const std::string& name, size_t bytes) = 0;
  // Memory of the device that belongs to another process (device_memory/protocol.h), mapped through
  // its descriptor, which stays open. Nothing is copied to it or from it. Throws
  // harness::CaseError.
  virtual void* map(int fd, size_t bytes) = 0;
  // Before a launch: inputs are copied, outputs and margins hold the sentinel. With `late`, the
  // copies are only queued on the stream, after something that takes a while: work that is not
  // queued on the same stream then runs too early.
  virtual void load(bool late) = 0;
  // After a launch: waits for the case's stream, where the contract requires the function's work to
  // be. If time is measured, waits for everything that runs on the device, and gives it at least
  // one thing to do: to turn to another process takes a GPU a while, with or without a call. Throws
  // harness::CudaFailure for an error of a kernel, or of a launch that the submission did not look
  // at.
  enum class Until { stream_is_idle, device_is_idle };
  virtual void wait(Until until) = 0;
  // After waiting: outputs are copied back. Throws harness::CudaFailure when a margin was written.
  virtual void fetch() = 0;
  // After a call that must touch nothing: waits for the device. Throws harness::CudaFailure if the
  // call failed there, or if anything is not as load() has left it.
  virtual void expect_untouched() = 0;
  // Check mode reports what was allocated since load() and is not freed.
  virtual void report_leaks() = 0;
  virtual CUstream_st* stream() const = 0;
  // The counts of kernels since the last load(), "launches 1 threads 4096 ...", if the device
  // counts; from check mode also how many bytes the outputs have, how many of them the host
  // computed, how many that the device computed the host has got, and how many of the host outputs
  // hold such values.
  virtual std::string counts(
      const std::vector<std::span<const unsigned char>>& host_outputs) const = 0;
  // The kinds of check mode's reports since then, between spaces.
  virtual std::string reports() const = 0;
};

// Null for runners without a device.
std::unique_ptr<DeviceTensors> make_device_tensors();

// Called once, before the process gives up its rights: a driver opens files and starts threads.
// Returns why there is no device to work with, or "".
std::string start_device();

// Likewise for cuDNN on a real GPU; part of start_device() in runners that are linked with it.
std::string start_cudnn();

// Check mode writes the kinds of its reports there as they come: a crash leaves no time to ask.
void tell_kinds_to(char* text, size_t bytes);

}  // namespace convkit::runner

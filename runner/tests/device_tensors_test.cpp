// SPDX-License-Identifier: MIT
// The runner's device memory, on the CPU device.
#include "runner/device_tensors.h"

#include <cuda_runtime.h>

#include "catch.h"

using convkit::runner::DeviceTensors;
using Until = DeviceTensors::Until;

namespace {

struct Stream {
  Stream() { REQUIRE(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking) == cudaSuccess); }
  ~Stream() { cudaStreamDestroy(handle); }
  cudaStream_t handle = nullptr;
};

// Work that a submission left on a stream of its own.
void queue_work(Stream& stream, void* memory, bool* done) {
  REQUIRE(cudaMemsetAsync(memory, 0, 4, stream.handle) == cudaSuccess);
  const auto note = [](void* at) { *static_cast<bool*>(at) = true; };
  REQUIRE(cudaLaunchHostFunc(stream.handle, note, done) == cudaSuccess);
}

}  // namespace

TEST_CASE("a time includes the work on every stream, a case only that of its own") {
  REQUIRE(convkit::runner::start_device() == "");
  const auto tensors = convkit::runner::make_device_tensors();
  unsigned char host[4] = {};
  void* memory = tensors->add("y", host, sizeof host, true);
  tensors->load(false);
  Stream stream;
  bool done = false;
  queue_work(stream, memory, &done);
  tensors->wait(Until::stream_is_idle);
  CHECK_FALSE(done);
  tensors->wait(Until::device_is_idle);
  CHECK(done);
}

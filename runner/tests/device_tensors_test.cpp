// SPDX-License-Identifier: MIT
// The runner's device memory, on the CPU device.
#include "runner/device_tensors.h"

#include <cuda_runtime.h>

#include "catch.h"
#include "runner/harness.h"

using convkit::harness::CudaFailure;
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

TEST_CASE("after a call that must touch nothing, what was written is named") {
  REQUIRE(convkit::runner::start_device() == "");
  const auto tensors = convkit::runner::make_device_tensors();
  float x_host[4] = {1, 2, 3, 4}, y_host[4] = {};
  const auto bytes_of = [](float* host) { return reinterpret_cast<unsigned char*>(host); };
  auto* x = static_cast<float*>(tensors->add("x", bytes_of(x_host), sizeof x_host, false));
  auto* y = static_cast<float*>(tensors->add("y", bytes_of(y_host), sizeof y_host, true));
  auto* lent = static_cast<float*>(tensors->add_scratch("lent", 24));
  const auto said_after_writing_to = [&](float* at) -> std::string {
    tensors->load(false);
    if (at) REQUIRE(cudaMemset(at, 0, sizeof(float)) == cudaSuccess);
    try {
      tensors->expect_untouched();
    } catch (const CudaFailure& failure) {
      return failure.what();
    }
    return "";
  };
  CHECK(said_after_writing_to(nullptr) == "");
  CHECK(said_after_writing_to(x + 1) == "wrote to its input `x`.");
  CHECK(said_after_writing_to(y + 3) == "wrote to `y`.");
  CHECK(said_after_writing_to(lent) == "wrote to `lent`.");
  CHECK(said_after_writing_to(lent + 6) == "wrote past the end of `lent`.");
  CHECK(said_after_writing_to(y - 1) == "wrote before the beginning of `y`.");
}

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

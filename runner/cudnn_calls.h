// SPDX-License-Identifier: MIT
// For harnesses of stages that call cuDNN. The same source serves NVIDIA's library and that of the
// CPU device.
#pragma once

#include <cudnn.h>

#include <string>

#include "runner/harness.h"
#if defined(CONVKIT_SIMT)
#include "simt/refused_call.h"
#endif

// Of cpu_device/dnn/alive.h; null with NVIDIA's library, which does not tell.
extern "C" __attribute__((weak)) size_t convkit_simt_dnn_descriptors_alive();
extern "C" __attribute__((weak)) const char* convkit_simt_dnn_newest_descriptors(size_t count);

namespace convkit::harness {

// "returned CUDNN_STATUS_BAD_PARAM. cudnnAddTensor: ...": of a status that a function of the
// submission has just returned and that is no success.
inline std::string returned_text(cudnnStatus_t status) {
  std::string text = std::string("returned ") + cudnnGetErrorString(status) + ".";
#if defined(CONVKIT_SIMT)
  const std::string why = convkit_simt_why_refused(CONVKIT_SIMT_CUDNN, status);
  return text + " " + (why.empty() ? "None of the cuDNN calls in it gave this status." : why);
#endif
  if (status / 1000 == CUDNN_STATUS_BAD_PARAM / 1000) {
    text +=
        " Descriptors that do not fit together, a null pointer, "
        "or less workspace than the algorithm needs.";
  } else if (status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000) {
    text += " The library does not do this with this algorithm, type or layout.";
  }
  return text;
}

// Throws CudaFailure unless `status`, which a function of the submission returned, is a success.
inline void check_cudnn(cudnnStatus_t status) {
  if (status != CUDNN_STATUS_SUCCESS) throw CudaFailure(returned_text(status));
}

// The kit's own calls: an error here is not the submission's.
inline void must_cudnn(cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw CaseError(std::string(what) + ": " + cudnnGetErrorString(status));
}

// Calls of the kit itself between a call of the submission and its check_cudnn(): that they are
// refused explains nothing.
class OwnCalls {
 public:
  OwnCalls() { remember(false); }
  ~OwnCalls() { remember(true); }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;

 private:
  static void remember([[maybe_unused]] bool refusals) {
#if defined(CONVKIT_SIMT)
    convkit_simt_remember_refusals(refusals);
#endif
  }
};

// One handle for all cases, created where nothing is timed, with no stream set.
inline cudnnHandle_t cudnn_handle() {
  static const cudnnHandle_t handle = [] {
    cudnnHandle_t created = nullptr;
    must_cudnn(cudnnCreate(&created), "cudnnCreate");
    return created;
  }();
  return handle;
}

// While it lives, as many descriptors must be destroyed as are made. Only the CPU device counts
// them. What is left is told after the outputs are judged: it makes none of them wrong.
class DescriptorWatch {
 public:
  DescriptorWatch() : before_(alive()) {}
  ~DescriptorWatch() {
    const size_t now = alive();
    if (now <= before_) return;
    const size_t left = now - before_;
    note_left_behind("left " + std::to_string(left) + " cuDNN descriptor" + (left == 1 ? "" : "s") +
                     " behind that nothing destroys: " + convkit_simt_dnn_newest_descriptors(left));
  }
  DescriptorWatch(const DescriptorWatch&) = delete;
  DescriptorWatch& operator=(const DescriptorWatch&) = delete;

 private:
  static size_t alive() {
    return convkit_simt_dnn_descriptors_alive ? convkit_simt_dnn_descriptors_alive() : 0;
  }
  size_t before_;
};

// Calls functions of the submission: the handle comes without a stream. It is an error if a status
// is not success, if a descriptor is not destroyed, or if the work did not go to the stream.
class GuardedCalls {
 public:
  explicit GuardedCalls(const Call& call) : stubs_(call), stream_(call.stream()) {}

  // `function` takes the handle and returns a status.
  template <class Function>
  void operator()(Function function) const {
    without_stream(function);
    cudaStream_t used = nullptr;
    must_cudnn(cudnnGetStream(cudnn_handle(), &used), "cudnnGetStream");
    if (used == stream_ || stubs_.any_reached()) return;
    throw CudaFailure(
        "did not set the handle's stream, or set it back: after the call the handle has another "
        "stream than the one that was given, so work is not ordered with what comes before and "
        "after it. Call cudnnSetStream(handle, stream) before everything else, and leave it set.");
  }
  // For functions that queue nothing.
  template <class Function>
  void without_stream(Function function) const {
    const cudnnHandle_t handle = cudnn_handle();
    must_cudnn(cudnnSetStream(handle, nullptr), "cudnnSetStream");
    const cudnnStatus_t status = [&] {
      const DescriptorWatch watch;
      return function(handle);
    }();
    check_cudnn(status);
  }

 private:
  Stubs stubs_;
  cudaStream_t stream_;
};

}  // namespace convkit::harness

// SPDX-License-Identifier: MIT
// What the harness of stage 07 needs besides the bare calls: networks of a submission, and the
// tensors of a case that are copied to and from their parameters. Networks are known by number.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "mnist_cnn.h"
#include "network_texts.h"
#include "runner/device.h"
#include "runner/harness.h"

namespace convkit::harness {

// The networks of training cases and speed shapes: the lecture's MLP, a small and a large CNN.
inline constexpr const char* kModels[] = {
    "input 1x28x28\nflatten\ndense 128\nrelu\ndense 10\nsoftmax\n",
    "input 1x28x28\nconv 8 5x5\nrelu\nmaxpool 2x2\nconv 16 5x5\nrelu\nmaxpool 2x2\nflatten\n"
    "dense 64\nrelu\ndense 10\nsoftmax\n",
    "input 1x28x28\nconv 32 5x5\nrelu\nmaxpool 2x2\nconv 64 5x5\nrelu\nmaxpool 2x2\nflatten\n"
    "dense 128\nrelu\ndense 10\nsoftmax\n",
};

template <size_t kCount>
const char* text_of(const char* const (&texts)[kCount], int64_t number) {
  if (number < 0 || number >= int64_t(kCount)) throw CaseError("there is no such network");
  return texts[number];
}

inline int64_t elements(const Call& call, std::string_view name) {
  int64_t count = 1;
  for (const int64_t dim : call.dims(name)) count *= dim;
  return count;
}

// Bytes that the case holds as numbers.
inline std::vector<uint8_t> bytes_of(const Call& call, const char* name) {
  const float* values = call.input<float>(name);
  return {values, values + elements(call, name)};
}

// The same in device memory.
using DeviceBytes = std::shared_ptr<uint8_t>;
inline DeviceBytes device_bytes_of(const Call& call, const char* name) {
  const std::vector<uint8_t> bytes = bytes_of(call, name);
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, bytes.size()), "cudaMalloc");
  DeviceBytes result(static_cast<uint8_t*>(memory), [](uint8_t* p) { cudaFree(p); });
  check_cuda(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return result;
}

// Makes memory of the host pinned: a copy to it does not wait by itself. Where that is not
// possible, it stays as it is.
class Pinned {
 public:
  Pinned(float* memory, int64_t count) : memory_(memory) {
    pinned_ = cudaHostRegister(memory, sizeof(float) * size_t(count), 0) == cudaSuccess;
    if (!pinned_) cudaGetLastError();  // it is not the submission's
  }
  ~Pinned() {
    if (pinned_) cudaHostUnregister(memory_);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  float* memory_;
  bool pinned_;
};

// A copy on the device.
struct Transfer {
  const float* from;
  float* to;
  size_t bytes;
};

inline void copy(const std::vector<Transfer>& transfers, cudaStream_t stream) {
  for (const Transfer& t : transfers) {
    check_cuda(cudaMemcpyAsync(t.to, t.from, t.bytes, cudaMemcpyDeviceToDevice, stream),
               "cudaMemcpyAsync");
  }
}

// An input to an output that is changed in place.
inline Transfer from_input(const Call& call, const char* input, const char* output) {
  return {call.device_input<float>(input), call.device_output<float>(output),
          sizeof(float) * size_t(elements(call, input))};
}

// A network of the submission.
class Network {
 public:
  Network(const Call& call, const char* text, int batch, uint64_t seed)
      : destroy_(call.entry<decltype(mnist_destroy)>("mnist_destroy")) {
    const auto create = call.entry<decltype(mnist_create)>("mnist_create");
    const auto list = call.entry<decltype(mnist_parameters)>("mnist_parameters");
    check_cuda(create(text, batch, seed, kMnistOwnKernels, &network_), "mnist_create");
    if (!network_) throw CudaFailure("returned cudaSuccess, but no network.");
    parameters_.resize(size_t(std::clamp(list(network_, nullptr, 0), 0, 1000)));
    list(network_, parameters_.data(), int(parameters_.size()));
  }
  ~Network() { destroy_(network_); }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  MnistNetwork* get() const { return network_; }

  // The case's tensors "conv1_weight", ... to the parameters.
  std::vector<Transfer> parameters_from(const Call& call) const {
    std::vector<Transfer> result;
    for (const MnistParameter& p : parameters_) {
      result.push_back({call.device_input<float>(name("", p)), p.d_value, bytes(p)});
    }
    return result;
  }
  // The parameters to its outputs "new_conv1_weight", ...
  std::vector<Transfer> parameters_to(const Call& call) const {
    std::vector<Transfer> result;
    for (const MnistParameter& p : parameters_) {
      result.push_back({p.d_value, call.device_output<float>(name("new_", p)), bytes(p)});
    }
    return result;
  }
  // The same from the parameters of this network, which is of the same text as the other.
  std::vector<Transfer> instead(std::vector<Transfer> of_other) const {
    for (size_t i = 0; i < std::min(of_other.size(), parameters_.size()); ++i) {
      of_other[i].from = parameters_[i].d_value;
    }
    return of_other;
  }
  // The gradients to its outputs "d_conv1_weight", ...; or back: what the outputs hold before. All
  // of them, or that of one parameter.
  std::vector<Transfer> gradients_to(const Call& call, bool back,
                                     std::string_view only = "") const {
    std::vector<Transfer> result;
    for (const MnistParameter& p : parameters_) {
      if (!p.trained || (!only.empty() && only != p.name)) continue;
      float* output = call.device_output<float>(name("d_", p));
      result.push_back(back ? Transfer{output, p.d_gradient, bytes(p)}
                            : Transfer{p.d_gradient, output, bytes(p)});
    }
    return result;
  }
  // The trained parameters, one after the other, to host memory; waits for the device.
  void values_to(float* to, int64_t size) const {
    check_cuda(cudaDeviceSynchronize(), "mnist_train");
    for (const MnistParameter& p : parameters_) {
      if (!p.trained) continue;
      size -= p.size;
      if (size < 0) break;
      check_cuda(cudaMemcpy(to, p.d_value, bytes(p), cudaMemcpyDeviceToHost), "cudaMemcpy");
      to += p.size;
    }
    if (size != 0) throw CudaFailure("has other parameters than its text says.");
  }

 private:
  static std::string name(const char* prefix, const MnistParameter& parameter) {
    std::string result = prefix + std::string(parameter.name);
    std::replace(result.begin(), result.end(), '.', '_');
    return result;
  }
  static size_t bytes(const MnistParameter& p) { return sizeof(float) * size_t(p.size); }

  decltype(mnist_destroy)* destroy_;
  MnistNetwork* network_ = nullptr;
  std::vector<MnistParameter> parameters_;
};

}  // namespace convkit::harness

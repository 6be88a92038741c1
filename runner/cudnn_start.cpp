// SPDX-License-Identifier: MIT
// For runners on a real GPU whose stage has cuDNN: all files that NVIDIA's library opens late are
// opened here. It loads its parts (libcudnn_ops.so.9, libcudnn_engines_precompiled.so.9, ...) and
// their kernels when a call first needs them; by then the process has given up its rights, and a
// submission's first call would be charged for it.
#include <cudnn.h>
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "runner/device_tensors.h"
#include "runner/loaded_cudnn.h"

namespace convkit::runner {
namespace {

namespace fs = std::filesystem;

struct Failure {
  std::string sentence;
};

void must(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw Failure{std::string("cuDNN: ") + call + ": " + cudnnGetErrorString(status)};
}
#define CONVKIT_MUST(call) must((call), #call)

// The parts in the library's folder, of its version. A part that does not open is not needed:
// versions have different parts.
void open_parts() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&cudnnCreate), &self) == 0 || !self.dli_fname) return;
  const fs::path library = fs::weakly_canonical(self.dli_fname);
  const std::string version = ".so." + std::to_string(CUDNN_MAJOR);
  std::vector<fs::path> parts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(library.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    const bool ends = name.size() > version.size() &&
                      name.compare(name.size() - version.size(), version.size(), version) == 0;
    if (name.rfind("libcudnn_", 0) == 0 && ends) parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  // Some need others: what failed before its turn is tried once more.
  for (int round = 0; round < 2; ++round) {
    for (const fs::path& part : parts) dlopen(part.c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
}

// Owns a handle or a descriptor.
template <class Handle, cudnnStatus_t (*create)(Handle*), cudnnStatus_t (*destroy)(Handle)>
class Owner {
 public:
  Owner() { CONVKIT_MUST(create(&handle_)); }
  ~Owner() { destroy(handle_); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};
using Dnn = Owner<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using Tensor =
    Owner<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using Filter =
    Owner<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using Convolution = Owner<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
                          cudnnDestroyConvolutionDescriptor>;
using Pooling =
    Owner<cudnnPoolingDescriptor_t, cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor>;
using Activation = Owner<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor,
                         cudnnDestroyActivationDescriptor>;

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes) {
    if (cudaMalloc(&data_, bytes) != cudaSuccess || cudaMemset(data_, 0, bytes) != cudaSuccess) {
      throw Failure{"cuDNN: no memory for its first calls"};
    }
  }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  float* data() const { return static_cast<float*>(data_); }

 private:
  void* data_ = nullptr;
};

// A call of each kind that stages make, on one small picture.
void call_each_kind() {
  constexpr int kChannels = 4, kEdge = 8, kImage = kChannels * kEdge * kEdge;
  const float one = 1, zero = 0;
  const Dnn dnn;
  const Tensor x, pooled, parameters;
  const Filter w;
  const Convolution conv;
  CONVKIT_MUST(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, kChannels,
                                          kEdge, kEdge));
  CONVKIT_MUST(cudnnSetTensor4dDescriptor(pooled, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, kChannels,
                                          kEdge / 2, kEdge / 2));
  CONVKIT_MUST(cudnnSetTensor4dDescriptor(parameters, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1,
                                          kChannels, 1, 1));
  CONVKIT_MUST(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, kChannels,
                                          kChannels, 3, 3));
  CONVKIT_MUST(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                               CUDNN_DATA_FLOAT));
  const DeviceMemory a(kImage * sizeof(float)), b(kImage * sizeof(float)),
      c(kImage * sizeof(float)), d(kImage * sizeof(float)),
      filter(kChannels * kChannels * 9 * sizeof(float)), scale(kChannels * sizeof(float)),
      shift(kChannels * sizeof(float));
  cudnnConvolutionFwdAlgoPerf_t forward;
  cudnnConvolutionBwdDataAlgoPerf_t data;
  cudnnConvolutionBwdFilterAlgoPerf_t gradient;
  int count = 0;
  CONVKIT_MUST(cudnnFindConvolutionForwardAlgorithm(dnn, x, w, conv, x, 1, &count, &forward));
  CONVKIT_MUST(cudnnFindConvolutionBackwardDataAlgorithm(dnn, w, x, conv, x, 1, &count, &data));
  CONVKIT_MUST(
      cudnnFindConvolutionBackwardFilterAlgorithm(dnn, x, x, conv, w, 1, &count, &gradient));
  CONVKIT_MUST(cudnnGetConvolutionForwardAlgorithm_v7(dnn, x, w, conv, x, 1, &count, &forward));
  CONVKIT_MUST(
      cudnnConvolutionBackwardBias(dnn, &one, x, a.data(), &zero, parameters, scale.data()));
  CONVKIT_MUST(cudnnAddTensor(dnn, &one, parameters, scale.data(), &one, x, a.data()));

  const Pooling pooling;
  CONVKIT_MUST(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2,
                                           2, 0, 0, 2, 2));
  CONVKIT_MUST(cudnnPoolingForward(dnn, pooling, &one, x, a.data(), &zero, pooled, b.data()));
  CONVKIT_MUST(cudnnPoolingBackward(dnn, pooling, &one, pooled, b.data(), pooled, b.data(), x,
                                    a.data(), &zero, x, c.data()));
  const Activation relu;
  CONVKIT_MUST(
      cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  CONVKIT_MUST(cudnnActivationForward(dnn, relu, &one, x, a.data(), &zero, x, b.data()));
  CONVKIT_MUST(cudnnActivationBackward(dnn, relu, &one, x, b.data(), x, c.data(), x, a.data(),
                                       &zero, x, d.data()));
  for (const cudnnSoftmaxAlgorithm_t softmax : {CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_LOG}) {
    CONVKIT_MUST(cudnnSoftmaxForward(dnn, softmax, CUDNN_SOFTMAX_MODE_CHANNEL, &one, x, a.data(),
                                     &zero, x, b.data()));
    CONVKIT_MUST(cudnnSoftmaxBackward(dnn, softmax, CUDNN_SOFTMAX_MODE_CHANNEL, &one, x, b.data(),
                                      x, c.data(), &zero, x, d.data()));
  }
  constexpr double kEpsilon = 1e-5;
  CONVKIT_MUST(cudnnBatchNormalizationForwardTraining(
      dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, x, a.data(), x, b.data(), parameters, scale.data(),
      shift.data(), 1, nullptr, nullptr, kEpsilon, nullptr, nullptr));
  CONVKIT_MUST(cudnnBatchNormalizationBackward(
      dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero, x, a.data(), x, c.data(), x, d.data(),
      parameters, scale.data(), filter.data(), shift.data(), kEpsilon, nullptr, nullptr));
  if (cudaDeviceSynchronize() != cudaSuccess) throw Failure{"cuDNN: its first calls failed"};
}

}  // namespace

std::string start_cudnn() {
  const std::string problem = cudnn_version_problem(CUDNN_VERSION, cudnnGetVersion());
  if (!problem.empty()) return problem;
  try {
    open_parts();
    call_each_kind();
  } catch (const Failure& failure) {
    return failure.sentence;
  }
  return "";
}

}  // namespace convkit::runner

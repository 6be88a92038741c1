// SPDX-License-Identifier: MIT
#include "submission.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "options.h"

namespace convkit::train {
namespace {

template <class F>
void find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  if (!function) throw UsageError(fmt::format("The submission does not define {}.", name));
}

void must(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(fmt::format("{}: {}.", what, cudaGetErrorString(error)));
  }
}

}  // namespace

Submission::Submission(const std::filesystem::path& library) {
  void* handle = dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw UsageError(fmt::format("The submission cannot be loaded: {}.", dlerror()));
  find(handle, "mnist_create", create);
  find(handle, "mnist_destroy", destroy);
  find(handle, "mnist_problem", problem);
  find(handle, "mnist_layers", layers);
  find(handle, "mnist_parameters", parameters);
  find(handle, "mnist_train", train);
  find(handle, "mnist_predict", predict);
}

Network::Network(const Submission& submission, const std::string& text, int batch, int64_t seed,
                 const std::string& backend)
    : submission_(submission), text_(text) {
  const int which = backend == "libraries" ? kMnistLibraries : kMnistOwnKernels;
  const cudaError_t error =
      submission.create(text.c_str(), batch, static_cast<uint64_t>(seed), which, &network_);
  if (error == cudaSuccess && network_) return;
  const std::string why = submission.problem();
  throw UsageError(
      why.empty() ? fmt::format("The network could not be made: {}.", cudaGetErrorString(error))
                  : why);
}

Network::~Network() {
  submission_.destroy(network_);
}

std::vector<MnistParameter> Network::parameters() const {
  std::vector<MnistParameter> result(
      static_cast<size_t>(submission_.parameters(network_, nullptr, 0)));
  submission_.parameters(network_, result.data(), static_cast<int>(result.size()));
  return result;
}

std::vector<MnistLayer> Network::layers() const {
  std::vector<MnistLayer> result(static_cast<size_t>(submission_.layers(network_, nullptr, 0)));
  submission_.layers(network_, result.data(), static_cast<int>(result.size()));
  return result;
}

std::vector<float> Network::predict(const uint8_t* images, int count) const {
  std::vector<float> probabilities(static_cast<size_t>(count) * static_cast<size_t>(classes()));
  must(submission_.predict(network_, images, count, probabilities.data()), "mnist_predict failed");
  return probabilities;
}

std::vector<float> from_device(const float* d_values, int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  must(cudaMemcpy(values.data(), d_values, values.size() * sizeof(float), cudaMemcpyDeviceToHost),
       "Reading a parameter");
  return values;
}

void to_device(float* d_values, std::span<const float> values) {
  must(cudaMemcpy(d_values, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
       "Setting a parameter");
}

}  // namespace convkit::train

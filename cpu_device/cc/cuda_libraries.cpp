// SPDX-License-Identifier: MIT
#include "cpu_device/cc/cuda_libraries.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace convkit {
namespace {

const std::vector<VendorLibrary>& libraries() {
  static const std::vector<VendorLibrary> all = {{"cublas", "convkit_simt_cublas"},
                                                 {"cudnn", "convkit_simt_cudnn"},
                                                 {"curand", "convkit_simt_curand"}};
  return all;
}

}  // namespace

const VendorLibrary* find_vendor_library(std::string_view name) {
  for (const VendorLibrary& library : libraries()) {
    if (library.name == name) return &library;
  }
  return nullptr;
}

std::vector<std::string> vendor_library_names() {
  std::vector<std::string> names;
  for (const VendorLibrary& library : libraries()) names.push_back(library.name);
  return names;
}

namespace {

constexpr std::array<std::string_view, 6> kRuntime = {"cudart",    "cudart_static", "cuda",
                                                      "cudadevrt", "nvToolsExt",    "culibos"};

// And all that begin so: cublasXt, cudnn_ops, npp_static.
constexpr std::array<std::string_view, 10> kMissing = {"cudnn_",   "cublasXt", "cufft", "cusolver",
                                                       "cusparse", "cutensor", "nccl",  "npp",
                                                       "nvjpeg",   "nvrtc"};

template <size_t N>
bool begins_with_one(const std::string& name, const std::array<std::string_view, N>& beginnings) {
  for (const std::string_view each : beginnings) {
    if (name.starts_with(each)) return true;
  }
  return false;
}

}  // namespace

bool is_cuda_runtime_library(const std::string& name) {
  for (const std::string_view each : kRuntime) {
    if (name == each) return true;
  }
  return false;
}

std::string stand_in_library(const std::string& name) {
  constexpr std::string_view kStatic = "_static";
  const bool is_static = name.ends_with(kStatic);
  std::string plain = is_static ? name.substr(0, name.size() - kStatic.size()) : name;
  if (plain == "cublasLt") plain = "cublas";  // cublasLt.h calls it
  const VendorLibrary* library = find_vendor_library(plain);
  return library ? library->stand_in : "";
}

bool is_refused_library(const std::string& name) {
  return begins_with_one(name, kMissing);
}

std::string about_refused_library(const std::string& name) {
  return fmt::format("-l{}: the CPU device does not have this library.", name);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "cpu_device/cc/supported_names.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "cpu_device/rewrite/source.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

void add_names(const fs::path& file, std::set<std::string>& names) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  const rewrite::Source source(text.str());
  const auto add = [&](const rewrite::Token& token) {
    if (token.is_identifier() && is_cuda_name(std::string(token.text))) {
      names.insert(std::string(token.text));
    }
  };
  for (const rewrite::Token& token : source.code()) add(token);
  // Families of functions are made by macros.
  for (const rewrite::Directive& directive : source.directives()) {
    for (const rewrite::Token& token : directive.tokens) add(token);
  }
}

}  // namespace

bool is_cuda_name(const std::string& name) {
  const auto upper = [&](size_t i) {
    return i < name.size() && std::isupper(static_cast<unsigned char>(name[i])) != 0;
  };
  if (name.starts_with("cuda")) return upper(4);
  if (name.starts_with("cublas")) return upper(6);
  if (name.starts_with("CUBLAS_")) return true;
  if (name.starts_with("cudnn")) return upper(5);
  if (name.starts_with("CUDNN_")) return true;
  if (name.starts_with("curand")) return upper(6) || name.compare(6, 1, "_") == 0;
  if (name.starts_with("CURAND_")) return true;
  if (name.starts_with("atomic")) return upper(6);
  return name.starts_with("__") && name.size() > 4 && !name.ends_with("__");
}

std::vector<std::string> supported_names(const fs::path& headers) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(headers, error)) {
    if (!entry.is_regular_file(error)) continue;
    // They declare names to say that they are not supported.
    if (entry.path().filename().string().ends_with("unsupported.h")) continue;
    add_names(entry.path(), names);
  }
  return {names.begin(), names.end()};
}

std::string about_missing_header(const std::string& header) {
  struct Library {
    const char *begins, *name;
    bool partly;  // the CPU device has other headers of it
  };
  static const Library kLibraries[] = {
      {"thrust/", "Thrust", true},     {"cub/", "CUB", true},
      {"cuda/", "libcu++", true},      {"nv/", "libcu++", true},
      {"cutlass/", "CUTLASS", false},  {"cublas", "cuBLAS", true},
      {"cudnn", "cuDNN", true},        {"cuComplex", "CUDA's complex numbers", false},
      {"cufft", "cuFFT", false},       {"cusparse", "cuSPARSE", false},
      {"cusolver", "cuSOLVER", false}, {"nvrtc", "NVRTC", false},
      {"npp", "NPP", false},           {"nccl", "NCCL", false},
      {"nvtx", "NVTX", false},         {"nvToolsExt", "NVTX", false},
      {"curand", "cuRAND", true},      {"helper_", "the CUDA samples' helper code", false}};
  for (const Library& library : kLibraries) {
    if (!header.starts_with(library.begins)) continue;
    return "`" + header + "` is a header of " + library.name +
           (library.partly ? " that the CPU device does not have"
                           : ", which the CPU device does not have");
  }
  return {};
}

}  // namespace convkit

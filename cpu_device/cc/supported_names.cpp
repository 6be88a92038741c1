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
  static const std::pair<const char*, const char*> kParts[] = {
      {"thrust/", "Thrust"},
      {"cub/", "CUB"},
      {"cuda/", "this part of libcu++"},
      {"nv/", "libcu++"},
      {"cutlass/", "CUTLASS"},
      {"cublas", "this part of cuBLAS"},
      {"cudnn", "this part of cuDNN"},
      {"cuComplex", "CUDA's complex numbers"},
      {"cufft", "cuFFT"},
      {"cusparse", "cuSPARSE"},
      {"cusolver", "cuSOLVER"},
      {"nvrtc", "NVRTC"},
      {"npp", "NPP"},
      {"nccl", "NCCL"},
      {"nvtx", "NVTX"},
      {"nvToolsExt", "NVTX"},
      {"curand_mtgp32", "this generator of cuRAND"},
      {"helper_", "the CUDA samples' helper code"}};
  for (const auto& [begins, part] : kParts) {
    if (header.starts_with(begins)) {
      return "`" + header + "` is part of " + part + ", which the CPU device does not have";
    }
  }
  return {};
}

}  // namespace convkit

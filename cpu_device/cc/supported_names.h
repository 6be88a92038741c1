// SPDX-License-Identifier: MIT
// The names that the CPU device's headers offer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

// Functions and types of CUDA's that the headers declare, sorted: cudaMalloc, __shfl_sync, ...
std::vector<std::string> supported_names(const std::filesystem::path& headers);

// Whether the name looks like one of CUDA's: cudaMalloc, __syncthreads, atomicAdd.
bool is_cuda_name(const std::string& name);

// The message for a header that CUDA has and the CPU device does not, or "".
std::string about_missing_header(const std::string& header);

}  // namespace convkit

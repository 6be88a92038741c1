// SPDX-License-Identifier: MIT
// IDX files, the format of MNIST: big-endian sizes, then bytes. Plain or gzip-compressed.
// Format: http://yann.lecun.com/exdb/mnist/ (foot of the page)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convkit/kit_error.h"

namespace convkit {

// An array of unsigned bytes in C order.
struct IdxArray {
  std::vector<int64_t> dims;  // outermost first, 1 to 8 of them
  std::vector<uint8_t> bytes;
};

inline constexpr uint64_t kIdxByteLimit = uint64_t{256} << 20;

// Input is hostile: sizes are checked against the file (what gzip can do at most included) and the
// limit before anything is allocated. Throws FormatError.
IdxArray read_idx(const std::filesystem::path& file, uint64_t byte_limit = kIdxByteLimit);

// The same from memory; `name` stands for the file in error messages.
IdxArray parse_idx(std::span<const std::byte> memory, const std::string& name,
                   uint64_t byte_limit = kIdxByteLimit);

}  // namespace convkit

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "convkit/kit_error.h"

namespace convkit {

// All bytes of a file; "" where it cannot be read.
inline std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The same of a file that the kit must have: throws KitError naming it where it cannot be read.
inline std::string kit_file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) throw KitError(file.string() + " cannot be read.");
  return text;
}

}  // namespace convkit

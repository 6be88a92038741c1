// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "convkit/kit_error.h"

namespace convkit {

// All bytes of a file that is open, by blocks: byte by byte through an istreambuf_iterator takes
// fifty times as long where nothing is optimised. Throws std::ios_base::failure for a folder.
inline std::string whole_text(std::ifstream& in) {
  std::string text, block(1 << 16, '\0');
  while (const auto bytes =
             in.rdbuf()->sgetn(block.data(), static_cast<std::streamsize>(block.size()))) {
    text.append(block, 0, static_cast<size_t>(bytes));
  }
  return text;
}

// All bytes of a file; "" where it cannot be read.
inline std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return whole_text(in);
}

// The same of a file that the kit must have: throws KitError naming it where it cannot be read.
inline std::string kit_file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text = whole_text(in);
  if (!in.is_open() || in.bad()) throw KitError(file.string() + " cannot be read.");
  return text;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), and keys of caches made by it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace convkit {

class Sha256 {
 public:
  using Digest = std::array<uint8_t, 32>;

  // `by_instructions`: by those that some processors have for it. The digest is the same.
  explicit Sha256(bool by_instructions = true) : by_instructions_(by_instructions) {}

  void update(std::span<const std::byte> bytes);
  // The digest of everything so far; the object is spent afterwards.
  Digest finish();

 private:
  void compress(const std::byte* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  std::array<std::byte, 64> pending_{};
  uint64_t bytes_ = 0;
  bool by_instructions_;
};

// 64 lower-case hexadecimal digits.
std::string sha256_hex(const Sha256::Digest& digest);
std::string sha256_hex(std::span<const std::byte> bytes);
std::string sha256_hex(std::string_view text);

// Reads the file in pieces. Throws FormatError naming it where it cannot be read.
std::string sha256_file(const std::filesystem::path& file);

// Length before content, so that no two lists of parts run together.
void add_to_key(Sha256& key, std::string_view part);

// Throws where the file cannot be read: an object must not be kept under the key of half a file.
void add_file_to_key(Sha256& key, const std::filesystem::path& file);

}  // namespace convkit

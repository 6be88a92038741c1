// SPDX-License-Identifier: MIT
#include "convkit/content_key.h"

#include <cstdint>
#include <span>

namespace convkit {

void add_to_key(Sha256& key, std::string_view part) {
  const uint64_t length = part.size();
  key.update(std::as_bytes(std::span(&length, 1)));
  key.update(std::as_bytes(std::span(part.data(), part.size())));
}

void add_file_to_key(Sha256& key, const std::filesystem::path& file) {
  add_to_key(key, sha256_file(file));
}

}  // namespace convkit

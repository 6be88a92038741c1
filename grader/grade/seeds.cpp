// SPDX-License-Identifier: MIT
#include "grade/seeds.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "convkit/kit_error.h"
#include "convkit/sha256.h"

namespace convkit {

std::string hidden_seed(const std::filesystem::path& manifest) {
  std::ifstream in(manifest, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw KitError(fmt::format("{} cannot be read.", manifest.string()));
  return sha256_hex("adjoint\n" + text.str());
}

std::mt19937_64 random_of(const std::string& seed, const std::string& purpose) {
  const std::string digits = sha256_hex(seed + "\n" + purpose);
  return std::mt19937_64(std::stoull(digits.substr(0, 16), nullptr, 16));
}

}  // namespace convkit

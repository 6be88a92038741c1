// SPDX-License-Identifier: MIT
#include "grade/nonce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "grade/speed/kernel_random.h"
#include "json_text.h"

namespace convkit {
namespace {

bool is_nonce(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Nonce draw_nonce() {
  KernelRandom random;
  Nonce nonce;
  for (int i = 0; i < 4; ++i) nonce.digits += fmt::format("{:016x}", random());
  return nonce;
}

Nonce nonce_of(const std::string& digits_or_file) {
  std::string lower = digits_or_file;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char ch) { return static_cast<char>(std::tolower(ch)); });
  if (is_nonce(lower)) return {lower, ""};
  std::error_code error;
  if (std::filesystem::is_directory(digits_or_file, error)) {
    throw UsageError(
        fmt::format("--nonce takes 64 hexadecimal digits or a result file, but {} is a folder.",
                    digits_or_file));
  }
  Nonce nonce;
  try {
    const nlohmann::ordered_json result = parse_json(file_text(digits_or_file));
    nonce = {result.at("nonce"), result.at("submission").at("sha256")};
  } catch (const nlohmann::json::exception&) {
  }
  if (is_nonce(nonce.digits) && !nonce.sha256.empty()) return nonce;
  throw UsageError(
      fmt::format("--nonce takes 64 hexadecimal digits or a result file that holds a nonce, "
                  "but {} is neither.",
                  digits_or_file));
}

}  // namespace convkit

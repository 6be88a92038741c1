// SPDX-License-Identifier: MIT
#include "grade/nonce.h"

#include <fmt/format.h>

#include <algorithm>
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
  if (is_nonce(digits_or_file)) return {digits_or_file, ""};
  Nonce nonce;
  try {
    const nlohmann::ordered_json result = parse_json(file_text(digits_or_file));
    nonce = {result.at("nonce"), result.at("submission").at("sha256")};
  } catch (const nlohmann::json::exception&) {
  }
  if (is_nonce(nonce.digits) && !nonce.sha256.empty()) return nonce;
  throw UsageError(
      fmt::format("--nonce takes 64 hexadecimal digits or the file of a result that has drawn "
                  "some, and {} is neither.",
                  digits_or_file));
}

}  // namespace convkit

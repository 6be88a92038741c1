// SPDX-License-Identifier: MIT
#include "json_text.h"

#include <nlohmann/json.hpp>

namespace convkit {

using nlohmann::ordered_json;

ordered_json parse_json(const std::string& text) {
  return ordered_json::parse(text);
}

std::string json_text(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string json_line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace convkit

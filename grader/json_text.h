// SPDX-License-Identifier: MIT
// JSON as text. To compile a parser of JSON takes a second and more, so it is compiled here only.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace convkit {

// Throws nlohmann::json::exception.
nlohmann::ordered_json parse_json(const std::string& text);

// On lines of their own, indented by two spaces. What students print and name need not be UTF-8,
// JSON must be: bytes that are not are replaced.
std::string json_text(const nlohmann::ordered_json& value);
// The same on one line, without an end of line.
std::string json_line(const nlohmann::ordered_json& value);

}  // namespace convkit

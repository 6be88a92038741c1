// SPDX-License-Identifier: MIT
#include "skeleton/template_text.h"

#include <fmt/core.h>

#include <regex>

#include "convkit/kit_error.h"

namespace convkit {

namespace fs = std::filesystem;

fs::path template_folder(const Kit& kit) {
  const fs::path folder = kit.root / "grader" / "skeleton" / "templates";
  std::error_code error;
  if (fs::is_directory(folder, error)) return folder;
  throw UsageError("This copy of the kit has no templates; use a checkout of it.");
}

std::string filled_in(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [word, value] : values) {
    const std::string place = "@" + word + "@";
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size()) {
      text.replace(at, place.size(), value);
    }
  }
  return text;
}

bool is_plain_name(const std::string& name) {
  static const std::regex pattern("[a-z][a-z0-9_]*");
  return std::regex_match(name, pattern);
}

}  // namespace convkit

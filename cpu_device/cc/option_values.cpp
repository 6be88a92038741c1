// SPDX-License-Identifier: MIT
#include "cpu_device/cc/option_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "convkit/kit_error.h"

namespace convkit {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',' || c == ' ') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase(parts, "");
  return parts;
}

std::string standard_flag(const std::string& wanted) {
  const std::string number = wanted.substr(std::min(wanted.size(), wanted.find("++") + 2));
  if (number == "20" || number == "2a") return "-std=gnu++20";
  if (number == "23" || number == "2b") return "-std=gnu++23";
  for (const char* older : {"03", "11", "0x", "14", "1y", "17", "1z"}) {
    if (number == older) return "-std=gnu++17";
  }
  throw UsageError(fmt::format(
      "-std={} is not a standard that convkit cc knows; it knows c++17, c++20 and c++23.", wanted));
}

std::vector<std::string> split_folders(const std::string& list) {
  std::vector<std::string> folders;
  std::istringstream in(list);
  std::string folder;
  while (std::getline(in, folder, ',')) {
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

bool is_cuda_toolkit(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "crt" / "host_config.h", error);
}

}  // namespace convkit

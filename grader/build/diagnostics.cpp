// SPDX-License-Identifier: MIT
#include "build/diagnostics.h"

#include <regex>
#include <sstream>

namespace convkit {

std::string first_error(const std::string& log) {
  // GNU ld, gold, lld and mold each have wording and quotes of their own.
  static const std::regex undefined(
      R"((?:undefined reference to|undefined symbol:|hidden symbol)\s*[`'"]?([^`'"\n]+?)['"]?(?:\s*$|\n))");
  static const std::regex multiple(
      R"((?:multiple definition of|duplicate symbol:?)\s*[`'"]?([^`'"\n;]+?)['"]?(?:;|:|\s*$|\n))");
  std::istringstream lines(log);
  std::string line;
  while (std::getline(lines, line)) {
    const size_t at = line.find("error: ");
    if (at == std::string::npos) continue;
    if (std::smatch match; std::regex_search(line, match, undefined)) {
      return "`" + match[1].str() + "` is used but not defined in any file.";
    }
    if (std::smatch match; std::regex_search(line, match, multiple)) {
      return "`" + match[1].str() + "` is defined twice.";
    }
    if (line.find("ld returned") != std::string::npos ||
        line.find("linker command failed") != std::string::npos) {
      continue;
    }
    std::string where = line.substr(0, at);
    const std::string what = line.substr(at + 7);
    if (where.find("fatal ") != std::string::npos) where.erase(where.find("fatal "), 6);
    return where + what;
  }
  if (std::smatch match; std::regex_search(log, match, undefined)) {
    return "`" + match[1].str() + "` is used but not defined in any file.";
  }
  if (std::smatch match; std::regex_search(log, match, multiple)) {
    return "`" + match[1].str() + "` is defined twice.";
  }
  return log.substr(0, log.find('\n'));
}

std::string without_prefix(std::string log, const std::string& prefix) {
  for (size_t at = log.find(prefix); at != std::string::npos; at = log.find(prefix, at)) {
    log.erase(at, prefix.size());
  }
  return log;
}

}  // namespace convkit

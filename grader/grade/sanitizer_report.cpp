// SPDX-License-Identifier: MIT
#include "grade/sanitizer_report.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

namespace convkit {

void use_sanitizers(SessionOptions& options, const std::filesystem::path& runner) {
  options.runner = runner;
  options.confined = false;
  options.environment.insert(options.environment.end(),
                             {"ASAN_OPTIONS=detect_leaks=0:color=never:strip_path_prefix=./",
                              "UBSAN_OPTIONS=print_stacktrace=1:color=never"});
  options.limits.memory_bytes = 0;  // the shadow memory alone is terabytes of address space
  options.limits.stack_bytes = 0;
  options.limits.wall *= 10;
  options.limits.output_bytes = 1 << 20;
}

void explain_sanitizer(CaseResult& result, const std::filesystem::path& folder) {
  static const std::regex address(
      R"(ERROR: AddressSanitizer: ([^\n]*?)(?: on (?:unknown )?address|:|\n))");
  static const std::regex undefined(R"(([^\s:]+):(\d+):\d+: runtime error: ([^\n]*))");
  static const std::regex frame(R"(#\d+ \S+ in (\S+)[^\n]* ([^\s:]+):(\d+))");
  const std::string& text = result.printed;
  std::smatch match;
  if (std::regex_search(text, match, undefined)) {
    result.status = Status::crashed;
    result.message =
        fmt::format("{} at {}:{}.", match[3].str(),
                    std::filesystem::path(match[1].str()).filename().string(), match[2].str());
    result.hint.clear();
    return;
  }
  if (!std::regex_search(text, match, address)) return;
  const std::string kind = match[1];
  result.status = Status::crashed;
  result.message = kind + ".";
  result.hint.clear();
  // The first frame that lies in the student's own folder is where to look.
  for (auto it = std::sregex_iterator(text.begin(), text.end(), frame);
       it != std::sregex_iterator(); ++it) {
    const std::filesystem::path file((*it)[2].str());
    if (!std::filesystem::exists(folder / file.filename())) continue;
    result.message = fmt::format("{} at {}:{} in {}().", kind, file.filename().string(),
                                 (*it)[3].str(), (*it)[1].str());
    return;
  }
}

}  // namespace convkit

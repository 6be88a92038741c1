// SPDX-License-Identifier: MIT
#include "cpu_device/engine/original_text.h"

#include <map>
#include <mutex>

#include "simt/launch.h"

namespace convkit::simt {
namespace {

constexpr std::string_view kLaunches[] = {"CONVKIT_SIMT_LAUNCH((", "CONVKIT_SIMT_TEMPLATE_LAUNCH((",
                                          "CONVKIT_SIMT_KNOWN_LAUNCH((",
                                          "CONVKIT_SIMT_KNOWN_TEMPLATE_LAUNCH(("};

// Of the parenthesis that is open at `at`; npos if there is none. Parentheses in literals do not
// count.
size_t closing(std::string_view text, size_t at) {
  int open = 1;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else {
      open += c == '(';
      open -= c == ')';
      if (open == 0) return at;
    }
  }
  return text.npos;
}

void restore(std::string& text, std::string_view launch) {
  for (size_t at = text.find(launch); at != text.npos; at = text.find(launch, at)) {
    const size_t kernel = at + launch.size(), kernel_end = closing(text, kernel);
    if (kernel_end == text.npos || text.compare(kernel_end, 3, "),(") != 0) break;
    const size_t config = kernel_end + 3, config_end = closing(text, config);
    if (config_end == text.npos) break;
    // What is known of the kernel follows.
    const size_t last = closing(text, config_end + 1);
    if (last == text.npos) break;
    // The rewriter has put a space behind the launch.
    const size_t end = last + (text.compare(last, 2, ") ") == 0 ? 2 : 1);
    const std::string original = text.substr(kernel, kernel_end - kernel) + "<<<" +
                                 text.substr(config, config_end - config) + ">>>";
    text.replace(at, end - at, original);
  }
}

}  // namespace

std::string original_text(std::string_view rewritten) {
  std::string text(rewritten);
  for (const std::string_view launch : kLaunches) restore(text, launch);
  return text;
}

}  // namespace convkit::simt

// By its contents: a library that is closed leaves its literals' places to others.
extern "C" const char* convkit_simt_original_text(const char* rewritten) {
  static std::mutex mutex;
  static std::map<std::string, std::string, std::less<>> texts;
  const std::lock_guard lock(mutex);
  auto known = texts.find(std::string_view(rewritten));
  if (known == texts.end()) {
    known = texts.emplace(rewritten, convkit::simt::original_text(rewritten)).first;
  }
  return known->second.c_str();
}

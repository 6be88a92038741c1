// SPDX-License-Identifier: MIT
#include "grade/sanitizer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

namespace convkit {
namespace {

namespace fs = std::filesystem;

// No std::regex here: what was printed is the submission's, and may be one line of 16 KiB.

struct Place {
  fs::path file;
  std::string line;
};

// "conv2d.cpp:14:7" or "/folder/conv2d.cpp:14".
std::optional<Place> place_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ':');) parts.push_back(part);
  const auto is_number = [](const std::string& part) {
    return !part.empty() && part.size() < 10 &&
           std::all_of(part.begin(), part.end(), [](unsigned char ch) { return std::isdigit(ch); });
  };
  if (parts.size() < 2 || parts[0].empty() || !is_number(parts[1])) return std::nullopt;
  return Place{parts[0], parts[1]};
}

// The text before the addresses: "heap-buffer-overflow", "attempting double-free".
std::string kind_in(const std::string& text) {
  size_t end = text.size();
  for (const char* stop : {" on ", ":", " ("}) end = std::min(end, text.find(stop));
  return text.substr(0, end);
}

struct Frame {
  std::string function;
  Place place;
};

// "    #1 0x55d in conv2d_forward /folder/conv2d.cpp:14:7"
std::optional<Frame> frame_in(const std::string& line) {
  const size_t in = line.find(" in ");
  const size_t space = line.rfind(' ');
  if (line.find('#') == std::string::npos || in == std::string::npos || space < in + 4) {
    return std::nullopt;
  }
  auto place = place_of(line.substr(space + 1));
  if (!place) return std::nullopt;
  const std::string function = line.substr(in + 4, space - in - 4);
  return Frame{function.substr(0, function.find('(')), std::move(*place)};
}

bool is_in(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  return fs::exists(folder / file.filename(), error) || fs::exists(folder / file, error);
}

}  // namespace

void use_sanitizers(SessionOptions& options, const std::filesystem::path& runner) {
  options.runner = runner;
  options.confined = false;
  options.environment.insert(options.environment.end(),
                             {"ASAN_OPTIONS=detect_leaks=0:color=never:strip_path_prefix=./",
                              "UBSAN_OPTIONS=print_stacktrace=1:color=never"});
  options.limits.memory_bytes = 0;  // the shadow memory alone is terabytes of address space
  options.limits.resident_bytes = 0;
  options.limits.stack_bytes = 0;
  options.limits.wall *= 10;
  options.limits.output_bytes = 1 << 20;
}

void explain_sanitizer(CaseResult& result, const std::filesystem::path& folder) {
  std::istringstream lines(result.printed);
  std::string line, kind;
  while (std::getline(lines, line)) {
    constexpr std::string_view kUndefined = ": runtime error: ";
    constexpr std::string_view kAddress = "ERROR: AddressSanitizer: ";
    if (const size_t at = line.find(kUndefined); at != std::string::npos && kind.empty()) {
      if (const auto place = place_of(line.substr(0, at))) {
        result.status = Status::crashed;
        result.message = fmt::format("{} at {}:{}.", line.substr(at + kUndefined.size()),
                                     place->file.filename().string(), place->line);
        result.hint.clear();
        return;
      }
    }
    if (const size_t at = line.find(kAddress); at != std::string::npos && kind.empty()) {
      kind = kind_in(line.substr(at + kAddress.size()));
      result.status = Status::crashed;
      result.message = kind + ".";
      result.hint.clear();
      continue;
    }
    if (kind.empty()) continue;
    // The first frame that lies in the student's own folder is where to look.
    const auto frame = frame_in(line);
    if (!frame || !is_in(folder, frame->place.file)) continue;
    result.message =
        fmt::format("{} at {}:{} in {}().", kind, frame->place.file.filename().string(),
                    frame->place.line, frame->function);
    return;
  }
}

}  // namespace convkit

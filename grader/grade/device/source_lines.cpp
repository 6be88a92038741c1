// SPDX-License-Identifier: MIT
#include "grade/device/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <vector>

#include "compile/object_key.h"
#include "convkit/temporary_folder.h"
#include "cpu_device/cc/toolchain.h"
#include "cpu_device/check/source_lines.h"
#include "process/sandbox.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// Everything here may come from the submission: what was printed, and the debug information, which
// it can write by inline assembly.
constexpr std::string_view kCode = "code@";
constexpr std::string_view kMadeAt = "made at ", kCalledFrom = ", called from ";
constexpr size_t kMostAddresses = 200, kLongestName = 100, kLongestCode = 200, kShortCode = 100;

bool is_hex(char ch) {
  return std::isdigit(static_cast<unsigned char>(ch)) || (ch >= 'a' && ch <= 'f');
}

// The end of what begins at `at` with "code@".
size_t end_of_token(const std::string& text, size_t at) {
  size_t end = at + kCode.size();
  while (end < text.size() && (is_hex(text[end]) || (text[end] == ',' && is_hex(text[end - 1])))) {
    ++end;
  }
  return text[end - 1] == ',' ? end - 1 : end;
}

std::vector<std::string> addresses_in(const std::string& token) {
  std::vector<std::string> addresses;
  std::istringstream in(token);
  for (std::string one; std::getline(in, one, ',');) {
    if (!one.empty() && one.size() <= 16) addresses.push_back(one);
  }
  return addresses;
}

struct Frame {
  fs::path file;
  int line = 0;
};

// As in cpu_device/check/source_lines.cpp.
bool is_the_students(const Frame& frame) {
  const std::string file = frame.file.string();
  return file.find("/cpu_device/include/") == std::string::npos &&
         file.find("/include/convkit_cpu_device/") == std::string::npos &&
         !file.starts_with("/usr/");
}

// For each address the functions that were inlined there, the innermost first.
using Frames = std::map<std::string, std::vector<Frame>>;

Frames frames_in(const std::string& answer) {
  Frames frames;
  std::vector<Frame>* of = nullptr;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      const size_t digits = std::min(line.find_first_not_of('0', 2), line.size());
      of = &frames[line.substr(digits)];
      continue;
    }
    const size_t colon = line.rfind(':');  // "/a/tile.cu:12 (discriminator 3)"
    if (of == nullptr || colon == std::string::npos) continue;
    const int number = std::atoi(line.c_str() + colon + 1);
    if (number > 0) of->push_back({line.substr(0, colon), number});
  }
  return frames;
}

Frames ask_addr2line(const std::set<std::string>& addresses, const SessionOptions& options) {
  const fs::path tool = find_on_path("addr2line");
  if (tool.empty() || addresses.empty()) return {};
  const TemporaryFolder scratch("lines");
  Command command;
  command.argv = {tool.string(), "-a", "-i", "-e", options.submission.string()};
  for (const std::string& address : addresses) command.argv.push_back("0x" + address);
  command.environment = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"};
  command.directory = scratch.path();
  Limits limits;
  limits.wall = std::chrono::seconds(10);
  limits.memory_bytes = 2ull << 30;
  limits.file_bytes = 1 << 20;
  limits.processes = 16;
  limits.open_files = 64;
  limits.output_bytes = 1 << 20;
  Confinement confinement;
  confinement.profile = Confinement::Profile::compiler;
  confinement.executable = tool;
  confinement.read_only = {options.submission};
  confinement.read_write = {scratch.path()};
  confinement.hidden = options.kit;
  const Completed completed =
      run_process(confined(command, confinement, limits, options.confine), limits);
  return completed.ending.kind == Ending::Kind::exited ? frames_in(completed.output) : Frames{};
}

// A line of a file in the folder of sources, however much of its path leads there.
std::string code_of(const Frame& frame, const fs::path& sources) {
  if (sources.empty()) return "";
  fs::path below;
  for (fs::path at = frame.file; at.has_filename(); at = at.parent_path()) {
    below = below.empty() ? at.filename() : at.filename() / below;
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(sources / below, error))) continue;
    std::ifstream in(sources / below);
    std::string code;
    for (int i = 0; i < frame.line && std::getline(in, code); ++i) {
    }
    if (!in) return "";
    const size_t begin = code.find_first_not_of(" \t"), end = code.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : code.substr(begin, end + 1 - begin);
  }
  return "";
}

std::string clean(std::string text, size_t longest) {
  text.resize(std::min(text.size(), longest));
  for (char& ch : text) {
    if (static_cast<unsigned char>(ch) < 0x20 || ch == 0x7f) ch = ' ';
  }
  return text;
}

// Of the functions that lead to `callee`, those in other files: each that calls into the next.
// Where all lie in its own file, the one that calls it.
class Callers {
 public:
  void add(std::span<const Frame> frames, const Frame& callee) {
    for (const Frame& frame : frames) {
      if (!is_the_students(frame) || found_.size() == kMostCallers) continue;
      if (frame.file == (found_.empty() ? callee : *found_.back()).file) {
        if (!own_) own_ = &frame;
        continue;
      }
      // A header that calls into a source is given what it calls, as a wrapper of all functions is.
      const bool is_wrapper = !found_.empty() && is_source(found_.back()->file.string()) &&
                              !is_source(frame.file.string());
      if (!is_wrapper) found_.push_back(&frame);
    }
  }
  std::vector<const Frame*> found() const {
    return found_.empty() && own_ ? std::vector{own_} : found_;
  }

 private:
  static constexpr size_t kMostCallers = 2;
  const Frame* own_ = nullptr;
  std::vector<const Frame*> found_;
};

KnownLine line_of(const std::string& token, const Frames& frames, const fs::path& sources) {
  const std::vector<std::string> addresses = addresses_in(token);
  const auto text_of = [](const Frame& frame) {
    return fmt::format("{}:{}", clean(frame.file.filename().string(), kLongestName), frame.line);
  };
  const Frame *found = nullptr, *outermost = nullptr;
  Callers callers;
  for (const std::string& address : addresses) {
    const auto inlined = frames.find(address);
    if (inlined == frames.end()) continue;
    if (found != nullptr) {
      callers.add(inlined->second, *found);
      continue;
    }
    const auto own = std::ranges::find_if(inlined->second, is_the_students);
    if (own != inlined->second.end()) {
      found = &*own;
      outermost = &*std::find_if(inlined->second.rbegin(), inlined->second.rend(), is_the_students);
      callers.add({std::next(own), inlined->second.end()}, *found);
      continue;
    }
    if (addresses.size() == 1 && !inlined->second.empty()) found = &inlined->second.front();
  }
  if (found == nullptr) return {};
  KnownLine known{text_of(*found), clean(code_of(*found, sources), kLongestCode),
                  text_of(outermost == nullptr ? *found : *outermost)};
  for (const Frame* caller : callers.found()) {
    known.callers.push_back({text_of(*caller), clean(code_of(*caller, sources), kLongestCode)});
  }
  return known;
}

// ", called from conv.cu:8, from net.cu:70: forward(x);", of so many callers.
std::string caller_text(const KnownLine& known, size_t most) {
  std::string text;
  for (size_t i = 0; i < std::min(most, known.callers.size()); ++i) {
    const KnownLine::Caller& caller = known.callers[i];
    text += (i == 0 ? ", called from " : ", from ") + caller.text;
    const bool is_last = i + 1 == std::min(most, known.callers.size());
    const bool is_short = !caller.code.empty() && caller.code.size() <= kShortCode;
    if (is_last && is_short) text += ": " + caller.code;
  }
  return text;
}

// The answer to a question of check mode (kLoopQuestion) at the end of a line, whose report names
// accesses at `lines` first.
std::string answered(const std::string& written, const std::vector<KnownLine>& lines) {
  using namespace simt::check;
  const size_t at = written.rfind(kLoopQuestion);
  if (at == std::string::npos || lines.size() < 2) return written;
  const std::string barriers = written.substr(at + std::strlen(kLoopQuestion));
  const size_t comma = barriers.rfind(',');
  if (comma == std::string::npos) return written;
  return written.substr(0, at) + advice_on_loop(barriers.substr(0, comma),
                                                barriers.substr(comma + 1), lines[0].outermost,
                                                lines[1].outermost);
}

}  // namespace

std::string with_known_lines(const std::string& printed,
                             const std::function<KnownLine(const std::string&)>& lines) {
  std::string result, report, key;  // the report that is being read
  std::vector<KnownLine> accesses;
  std::set<std::string> told;
  const auto end_report = [&] {
    if (key.empty() || told.insert(key).second) result += report;
    report.clear();
    key.clear();
    accesses.clear();
  };
  std::istringstream in(printed);
  for (std::string line; std::getline(in, line);) {
    const bool begins = line.starts_with("convkit: ");
    if (begins || !line.starts_with("  ")) end_report();
    const size_t kind = line.find(": ", 9);
    std::string written, of_lines;
    for (size_t at = 0; at < line.size();) {
      const size_t token = std::min(line.find(kCode, at), line.size());
      written += line.substr(at, token - at);
      if (token == line.size()) break;
      at = end_of_token(line, token);
      const KnownLine known = lines(line.substr(token + kCode.size(), at - token - kCode.size()));
      const bool quote = line.find_first_not_of(' ') == token && at == line.size();
      if (written.ends_with(kCalledFrom)) {  // a launch, whose own line stands before
        written.resize(written.size() - kCalledFrom.size());
        written += caller_text(known, 2);
      } else if (written.ends_with(kMadeAt) && !known.callers.empty()) {
        // By a class, mostly, and what uses that says more.
        written += known.text + caller_text(known, 1);
      } else if (!known.text.empty()) {
        written += known.text + (quote && !known.code.empty() ? ": " + known.code : "");
      } else if (!quote) {
        written += kUnknownLine;
      }
      of_lines += " " + known.text;
      accesses.push_back(known);
    }
    if (!key.empty()) written = answered(written, accesses);
    if (begins && kind != std::string::npos && !of_lines.empty()) {
      key = line.substr(0, kind) + of_lines;
    }
    // A quoted line that is not known, or that the other access has, too.
    const bool again = written != line && (report.ends_with("\n" + written + "\n") ||
                                           written.find_first_not_of(' ') == std::string::npos);
    if (!again) report += written + "\n";
  }
  end_report();
  if (!printed.ends_with("\n") && !result.empty()) result.pop_back();
  return result;
}

std::string with_source_lines(const std::string& printed, const SessionOptions& options) try {
  std::set<std::string> addresses;
  for (size_t at = printed.find(kCode); at != std::string::npos; at = printed.find(kCode, at + 1)) {
    const size_t begin = at + kCode.size();
    for (const std::string& address :
         addresses_in(printed.substr(begin, end_of_token(printed, at) - begin))) {
      if (addresses.size() < kMostAddresses) addresses.insert(address);
    }
  }
  if (addresses.empty()) return printed;
  const Frames frames = ask_addr2line(addresses, options);
  return with_known_lines(
      printed, [&](const std::string& token) { return line_of(token, frames, options.sources); });
} catch (const std::exception&) {  // a machine that cannot start it
  return with_known_lines(printed, [](const std::string&) { return KnownLine{}; });
}

}  // namespace convkit

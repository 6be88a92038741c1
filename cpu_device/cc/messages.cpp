// SPDX-License-Identifier: MIT
#include "cpu_device/cc/messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "convkit/nearest.h"
#include "cpu_device/cc/compiler_log.h"
#include "cpu_device/cc/supported_names.h"
#include "cpu_device/rewrite/inline_ptx.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

bool holds(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

// Members of cudaDeviceProp that CUDA 13 dropped.
bool is_member_of_cuda_12(std::string_view name) {
  static const std::set<std::string_view> kMembers = {"clockRate",
                                                      "memoryClockRate",
                                                      "deviceOverlap",
                                                      "computeMode",
                                                      "maxTexture1DLinear",
                                                      "kernelExecTimeoutEnabled",
                                                      "cooperativeMultiDeviceLaunch",
                                                      "singleToDoublePrecisionPerfRatio"};
  return kMembers.contains(name);
}

// The first name in quotes, as g++ (‘name’) and clang ('name') write it.
std::string quoted_name(std::string_view text) {
  static constexpr std::string_view kOpen = "\xe2\x80\x98", kClose = "\xe2\x80\x99";
  if (const size_t open = text.find(kOpen); open != std::string_view::npos) {
    text.remove_prefix(open + kOpen.size());
    return std::string(text.substr(0, text.find(kClose)));
  }
  const size_t open = text.find('\'');
  if (open == std::string_view::npos) return {};
  text.remove_prefix(open + 1);
  return std::string(text.substr(0, text.find('\'')));
}

class Mender {
 public:
  Mender(const TranslationUnit& unit, const fs::path& headers) : unit_(unit), headers_(headers) {}

  std::string run(const std::string& log) {
    for (CompilerReport& report : read_compiler_log(log)) take(report);
    // Where nothing is left of an error, the compiler's own words are better than none.
    return result_.empty() && holds(log, "error: ") ? log : std::move(result_);
  }

 private:
  bool in_kit(std::string_view text) const { return holds(text, headers_.string() + "/"); }
  bool is_inner(const LogLine& line) const {
    return in_kit(line.file) || in_kit(line.text) || holds(line.text, "convkit::simt") ||
           holds(line.text, "CONVKIT_SIMT_") || holds(line.text, "convkit_arguments:") ||
           holds(line.text, "from <command-line>") || holds(line.text, "/cuda_prefix.h:1") ||
           holds(line.text, "/precompiled.h:1") || holds(line.text, "/ptx_prefix.h:1") ||
           (holds(line.text, "In substitution of") && holds(line.text, "<lambda(auto:"));
  }

  void take(CompilerReport& report) {
    if (report.primary.severity.empty()) {
      print_context(report.context);
      return;
    }
    for (LogLine& line : report.context) lead_back(line);
    for (LogLine& line : report.notes) lead_back(line);
    lead_back(report.primary);
    if (in_kit(report.primary.file) && !relocate(report)) return;
    explain_launch(report);
    const std::string key =
        fmt::format("{}:{}:{}", report.primary.file, report.primary.line, report.primary.text);
    if (!said_.insert(key).second) return;
    if (report.primary.is_error()) wrong_lines_.insert(place(report.primary));
    const std::string addition = addition_to(report.primary);
    print_context(report.context);
    print(report.primary);
    if (!addition.empty()) {
      LogLine note = report.primary;
      note.severity = "note";
      note.text = addition;
      result_ += note.spelled() + "\n";
    }
    for (const LogLine& line : report.notes) {
      if (is_inner(line) || (line.is_context() && line.file.empty())) continue;
      print(line);
    }
  }

  static std::string place(const LogLine& line) {
    return fmt::format("{}:{}", line.file, line.line);
  }

  // From the copy's column to the original's.
  void lead_back(LogLine& line) const {
    if (const RewrittenFile* file = unit_.find(line.file)) {
      line.column = file->columns.original(line.line, line.column);
    }
  }

  // An error inside a header is reported for the student's line that led there, unless that line
  // has a message already. Returns false if there is nothing to report.
  bool relocate(CompilerReport& report) {
    const LogLine* from = nullptr;
    for (const LogLine& line : report.context) {
      if (unit_.find(line.file)) from = &line;  // g++: "required from here" comes last
    }
    for (const LogLine& line : report.notes) {
      if (!from && line.severity == "note" && unit_.find(line.file)) from = &line;  // clang
    }
    if (!from) return true;
    if (wrong_lines_.contains(place(*from))) return false;
    if (const std::string refused = refused_ptx(report); !refused.empty()) {
      report.primary.text = refused;
    }
    // About a lambda of the kit's: g++ says what is wrong next, clang in a note.
    if (holds(report.primary.text, "lambda")) {
      const std::string reason = reason_in(report.notes);
      if (reason.empty()) return false;
      report.primary.text = reason;
    }
    report.primary.file = from->file;
    report.primary.line = from->line;
    report.primary.column = from->column;
    report.context.clear();
    return true;
  }

  // What PtxIsRefused<1, 'a', 'd', 'd'> means (simt/ptx/operands.h), or "".
  static std::string refused_ptx(const CompilerReport& report) {
    static constexpr std::string_view kName = "PtxIsRefused<";
    for (const std::vector<LogLine>* lines : {&report.context, &report.notes}) {
      for (const LogLine& line : *lines) {
        size_t at = line.text.find(kName);
        if (at == std::string::npos) continue;
        at += kName.size();
        const int kind = std::atoi(line.text.c_str() + at);
        std::string subject;
        const size_t end = std::min(line.text.find('>', at), line.text.size());
        // Each character stands in quotes.
        for (; at + 2 < end; ++at) {
          if (line.text[at] != '\'' || line.text[at + 2] != '\'') continue;
          subject += line.text[at + 1];
          at += 2;
        }
        return rewrite::ptx_problem_text(kind, subject);
      }
    }
    return {};
  }

  // "... to 'const convkit::simt::LaunchConfig'": a copy was tried.
  static bool is_inner_type(std::string_view text) {
    return holds(text.substr(std::min(text.find(" to "), text.size())), "LaunchConfig");
  }

  static std::string reason_in(const std::vector<LogLine>& notes) {
    for (const LogLine& line : notes) {
      const size_t at = line.text.rfind("]: ");
      if (holds(line.text, "substitution failure") && at != std::string::npos) {
        return line.text.substr(at + 3);
      }
    }
    return {};
  }

  // The kernel's parameters and the configuration's are those of functions of the kit.
  void explain_launch(CompilerReport& report) const {
    std::string& text = report.primary.text;
    const bool call =
        holds(text, "no match for call to") || holds(text, "no matching function for call");
    const bool configuration = holds(text, "LaunchConfig");
    const bool arguments = call && holds(text, "Launcher<");
    if (!configuration && !arguments) return;
    std::string reason;
    for (const LogLine& line : report.notes) {
      for (const std::string_view words :
           {"no known conversion", "candidate expects", "requires"}) {
        const size_t at = line.text.find(words);
        if (at == std::string::npos || !reason.empty() || holds(line.text, "requirement")) continue;
        // The compiler reports a wrong number of arguments of a configuration for the constructor
        // of the kit's class.
        if (configuration && (words != "no known conversion" || is_inner_type(line.text))) continue;
        reason = line.text.substr(at);
      }
    }
    if (reason.starts_with("candidate expects")) reason.replace(0, 17, "the kernel expects");
    if (reason.starts_with("requires")) reason.replace(0, 8, "the kernel expects");
    text = configuration
               ? "the launch configuration does not fit `<<<dim3 grid, dim3 block, size_t "
                 "shared, cudaStream_t stream>>>`"
               : "the arguments do not fit the kernel's parameters";
    if (!reason.empty()) text += ": " + reason;
  }

  // A sentence that the compiler could not know, or "".
  std::string addition_to(LogLine& primary) {
    if (primary.severity == "fatal error") {
      const size_t end = primary.text.find(": No such file");
      if (end != std::string::npos) return about_missing_header(primary.text.substr(0, end));
      // clang: 'cub/cub.cuh' file not found
      if (holds(primary.text, "file not found"))
        return about_missing_header(quoted_name(primary.text));
    }
    if (holds(primary.text, "no member named") && holds(primary.text, "cudaDeviceProp")) {
      const std::string member =
          quoted_name(std::string_view(primary.text).substr(primary.text.find("no member named")));
      if (!is_member_of_cuda_12(member)) return {};
      if (const size_t guess = primary.text.find("; did you mean"); guess != std::string::npos) {
        primary.text.erase(guess);
      }
      return fmt::format(
          "CUDA 13 dropped `{}`: compile with --cuda12, or call cudaDeviceGetAttribute", member);
    }
    const bool undeclared = holds(primary.text, "was not declared in this scope") ||
                            holds(primary.text, "does not name a type") ||
                            holds(primary.text, "undeclared identifier") ||
                            holds(primary.text, "unknown type name");
    const std::string name = undeclared ? quoted_name(primary.text) : "";
    if (!is_cuda_name(name)) return {};
    if (names_.empty()) names_ = supported_names(headers_);
    const size_t guess = primary.text.find("; did you mean");
    if (guess != std::string::npos) {
      const std::string guessed = quoted_name(std::string_view(primary.text).substr(guess));
      if (std::binary_search(names_.begin(), names_.end(), guessed)) return {};
      primary.text.erase(guess);  // something that is only there to be refused
    }
    const std::string near = nearest(name, names_);
    return near.empty()
               ? fmt::format("the CPU device has no `{}`", name)
               : fmt::format("the CPU device has no `{}`; the nearest name that it has is `{}`",
                             name, near);
  }

  void print_context(const std::vector<LogLine>& lines) {
    for (const LogLine& line : lines) {
      if (is_inner(line)) continue;
      const std::string spelled = line.spelled();
      // If a lambda of the kit is in between, g++ names the function again.
      const bool function = holds(spelled, ": In ");
      if (function && spelled == function_) continue;
      if (function) function_ = spelled;
      result_ += spelled + "\n";
    }
  }

  void print(const LogLine& line) {
    result_ += line.spelled() + "\n";
    if (line.severity.empty() || excerpts_ == kMostExcerpts) return;
    if (const RewrittenFile* file = unit_.find(line.file)) {
      result_ += excerpt(file->original, line.line, line.column);
      ++excerpts_;
    }
  }

  // Each looks for its line from the beginning of a file that may be long.
  static constexpr unsigned kMostExcerpts = 300;

  const TranslationUnit& unit_;
  const fs::path& headers_;
  unsigned excerpts_ = 0;
  std::string result_, function_;  // the function named last
  std::set<std::string> said_, wrong_lines_;
  std::vector<std::string> names_;
};

}  // namespace

std::string mend_messages(const std::string& log, const TranslationUnit& unit,
                          const fs::path& headers) {
  return Mender(unit, headers).run(log);
}

}  // namespace convkit

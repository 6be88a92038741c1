// SPDX-License-Identifier: MIT
#include "report/report_terminal.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "report/plain_text.h"

namespace convkit {
namespace {

constexpr unsigned kNamedCases = 3;  // that fail for a cause which is told already

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}

  std::string status(Status status, size_t width = 0) const {
    const char* code = "31";  // red
    switch (status) {
      case Status::pass:
        code = "32";
        break;
      case Status::slow:
      case Status::pending:
      case Status::not_started:
      case Status::unfinished:
        code = "33";
        break;
      case Status::skipped:
        code = "90";
        break;
      case Status::grader_error:
        code = "35";
        break;
      default:
        break;
    }
    return paint(code, fmt::format("{:<{}}", name_of(status), width));
  }
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string dim(const std::string& text) const { return paint("90", text); }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  bool colour_;
};

std::string points(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

size_t count_of(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

bool shows_log(const StageResult& stage, const View& view) {
  return !stage.log.empty() && (stage.status == Status::build_failed || view.all_cases);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// "conv2d.cpp:7:18: it is wrong": whether the log below says that, with "error" in between.
bool is_in_log(const std::string& error, const std::string& log) {
  const size_t at = error.find(": ");
  return at != error.npos && log.find(": error" + error.substr(at)) != log.npos;
}

// An error of the compiler stands once: in the log, or where that says less, above it.
std::string stage_message(const StageResult& stage, const View& view) {
  const std::string first = first_line(stage.message);
  if (!shows_log(stage, view) || !is_in_log(first, stage.log)) return stage.message;
  return stage.message.substr(std::min(first.size() + 1, stage.message.size()));
}

std::string case_message(const CaseResult& c, const StageResult& stage, const View& view) {
  const size_t error = c.message.find(": " + first_line(stage.message));
  const bool is_told = c.status == Status::build_failed && shows_log(stage, view);
  return is_told && error != c.message.npos ? c.message.substr(0, error) + "." : c.message;
}

// What it printed, but for lines that the message or the hint have said: of a report of the CPU
// device stay the lines of the source.
std::string untold_lines(const CaseResult& c) {
  std::istringstream lines(c.printed);
  std::string line, text;
  while (std::getline(lines, line)) {
    const size_t colon = line.starts_with("convkit: ") ? line.find(": ", 9) : line.npos;
    const std::string said = colon != line.npos          ? line.substr(colon + 2)
                             : line.starts_with("  in ") ? line.substr(5)
                             : line.starts_with("  ")    ? line.substr(2)
                                                         : "";
    const bool is_told = !said.empty() && (c.message.find(said) != c.message.npos ||
                                           c.hint.find(said) != c.hint.npos);
    if (!is_told) text += line + "\n";
  }
  return text;
}

std::string failing_case(const CaseResult& c, const StageResult& stage, const View& view,
                         const Painter& paint) {
  const std::string sizes = c.sizes.empty() ? "" : paint.dim("  " + plain_text(c.sizes));
  std::string out = fmt::format("\n  {}  {} / {}{}{}\n", paint.status(c.status), stage.id, c.name,
                                c.hidden ? " (hidden)" : "", sizes);
  out += indented(case_message(c, stage, view), "    ");
  if (view.details) {
    if (!c.map.empty()) out += indented(c.map, "      ");
    if (!c.hint.empty()) out += indented("Hint: " + c.hint, "    ");
  }
  for (const std::string& warning : c.warnings) {
    out += indented("The compiler warns: " + warning, "    ");
  }
  const std::string printed = view.printed ? untold_lines(c) : "";
  if (!printed.empty()) out += paint.dim("    It printed:\n") + indented(printed, "      ");
  if (!view.reproduce.empty() && !c.hidden) {
    out += paint.dim(
        fmt::format("    Reproduce: {}\n", fmt::format(fmt::runtime(view.reproduce), c.name)));
  }
  return out;
}

bool is_failing(const CaseResult& c) {
  return c.status != Status::pass && c.status != Status::pending &&
         c.status != Status::not_started && c.status != Status::skipped;
}

// Visible cases of a function with one known mistake, or of a file that does not compile.
bool is_same_cause(const CaseResult& a, const CaseResult& b) {
  if (a.hidden || b.hidden) return false;
  const bool has_same_message = !a.message.empty() && a.message == b.message;
  if (a.status == Status::build_failed && b.status == a.status) return has_same_message;
  return !a.mistake.empty() && a.mistake == b.mistake && a.hint == b.hint && a.op == b.op &&
         (a.status == b.status || has_same_message);
}

// A wrong output without a cause, beside another one of the function whose cause is told: it is
// counted there.
bool may_have_cause_of(const CaseResult& bare, const CaseResult& other) {
  return bare.op == other.op && !bare.hidden && !other.hidden && bare.status == Status::wrong &&
         bare.mistake.empty() && !bare.explained && other.explained;
}

// Causes are told for at least half of the wrong cases of this function: else the others may well
// be wrong for other reasons.
bool is_mostly_explained(const StageResult& stage, const std::string& op) {
  size_t wrong = 0, explained = 0;
  for (const CaseResult& c : stage.cases) {
    if (c.op != op || c.hidden || c.status != Status::wrong) continue;
    ++wrong;
    explained += c.explained;
  }
  return 2 * explained >= wrong;
}

// "The same in a, b, c and 2 more."
std::string those_with(const char* words, const std::vector<const CaseResult*>& cases) {
  if (cases.empty()) return "";
  std::string names;
  for (size_t i = 0; i < cases.size() && i < kNamedCases; ++i) {
    names += (names.empty() ? "" : ", ") + cases[i]->name;
  }
  if (cases.size() > kNamedCases) names += fmt::format(" and {} more", cases.size() - kNamedCases);
  return fmt::format("    {} in {}.\n", words, names);
}

// Of its function.
bool is_first_cause(const CaseResult& c, const std::vector<const CaseResult*>& causes) {
  return std::ranges::none_of(causes, [&](const CaseResult* other) {
    return other != &c && other->op == c.op && other->explained;
  });
}

// Each cause once, with the first case that shows it: the stages list simple cases first.
std::string failing_cases(const StageResult& stage, const View& view, const Painter& paint) {
  std::string out;
  std::vector<const CaseResult*> causes;
  unsigned shown = 0, left_out = 0;
  for (const CaseResult& c : stage.cases) {
    if (!is_failing(c)) continue;
    const auto is_same = [&](const CaseResult* other) { return is_same_cause(c, *other); };
    const auto is_told = [&](const CaseResult& other) {
      return is_failing(other) && may_have_cause_of(c, other);
    };
    const bool is_counted_elsewhere =
        std::ranges::any_of(causes, is_same) ||
        (is_mostly_explained(stage, c.op) && std::ranges::any_of(stage.cases, is_told));
    if (!view.all_cases && is_counted_elsewhere) continue;
    if (shown++ >= view.max_failures) {
      ++left_out;
      continue;
    }
    causes.push_back(&c);
    out += failing_case(c, stage, view, paint);
    if (view.all_cases) continue;
    std::vector<const CaseResult*> same, perhaps;
    for (const CaseResult& other : stage.cases) {
      if (&other == &c || !is_failing(other)) continue;
      if (is_same_cause(c, other)) same.push_back(&other);
      if (may_have_cause_of(other, c) && is_first_cause(c, causes) &&
          is_mostly_explained(stage, c.op)) {
        perhaps.push_back(&other);
      }
    }
    out += those_with("The same", same) + those_with("Perhaps the same", perhaps);
  }
  if (left_out > 0 && causes.empty()) {
    out += "\n  The failing cases are not shown.\n";
  } else if (left_out > 0) {
    out += fmt::format("\n  ... and {} more failing case{}.\n", left_out, left_out == 1 ? "" : "s");
  }
  return out;
}

// A line for each case that does not fail: it passed, or it was not judged and the reason is said.
std::string other_cases(const StageResult& stage, const Painter& paint) {
  size_t width = 0;
  for (const CaseResult& c : stage.cases) {
    if (!is_failing(c)) width = std::max(width, std::string_view(name_of(c.status)).size());
  }
  std::string out;
  for (const CaseResult& c : stage.cases) {
    if (is_failing(c)) continue;
    const bool silent = c.message.empty() || (c.hidden && c.status == Status::pass);
    out += fmt::format("  {}  {}{}{}\n", paint.status(c.status, width), c.name,
                       c.hidden && c.status != Status::pass ? " (hidden)" : "",
                       silent ? "" : ": " + plain_text(c.message));
  }
  return out;
}

// Why cases were left out, a line for each reason.
std::string reasons_for_skipping(const StageResult& stage) {
  std::vector<std::pair<std::string, unsigned>> reasons;
  for (const CaseResult& c : stage.cases) {
    if (c.left_out == LeftOut::no) continue;
    const auto known = std::ranges::find(reasons, c.message, &decltype(reasons)::value_type::first);
    if (known == reasons.end()) {
      reasons.emplace_back(c.message, 1);
    } else {
      ++known->second;
    }
  }
  std::string out;
  for (const auto& [reason, count] : reasons) {
    out += indented(fmt::format("{} case{}: {}", count, count == 1 ? "" : "s", reason), "  ");
  }
  return out.empty() ? out : "\n" + out;
}

// A build that failed has said everything; so has a stage that was never touched.
bool skipped_as_a_whole(const StageResult& stage) {
  return stage.cases.size() < 2 || built_nothing(stage) ||
         (stage.status == Status::not_started && stage.points == 0);
}

std::string stage_view(const StageResult& stage, const View& view, const Painter& paint) {
  std::string out =
      fmt::format("{}  {}  {}\n", paint.status(stage.status), paint.bold(stage.id), stage.title);
  out += indented(stage_message(stage, view), "  ");
  if (!skipped_as_a_whole(stage)) {
    size_t width = 0;
    for (const GroupResult& g : stage.groups) width = std::max(width, g.title.size());
    const auto row = [&](const std::string& title, const std::string& cases,
                         const std::string& points) {
      return fmt::format("  {:<{}}  {:>9}", title, width, cases) +
             (view.chosen ? "" : fmt::format("  {:>12}", points));
    };
    out += paint.dim(row("", "cases", "points")) + "\n";
    for (const GroupResult& g : stage.groups) {
      out += row(g.title, fmt::format("{} of {}", g.passed, g.total),
                 fmt::format("{} of {}", points(g.points), points(g.max_points))) +
             "\n";
    }
  }
  for (const std::string& note : stage.notes) {
    out += fmt::format("  Note: {}\n", plain_text(note));
  }
  if (shows_log(stage, view)) {
    out += "\n" + indented(stage.log, "    ");
  } else if (const size_t warnings = count_of(stage.log, "warning: "); warnings > 0) {
    out += fmt::format("  The compiler has {} warning{}; --verbose shows {}.\n", warnings,
                       warnings == 1 ? "" : "s", warnings == 1 ? "it" : "them");
  }
  const bool nothing_to_list = stage.cases.empty() || built_nothing(stage);
  if (view.all_cases && !nothing_to_list) out += other_cases(stage, paint);
  if (!nothing_to_list) out += failing_cases(stage, view, paint);
  if (!nothing_to_list) out += reasons_for_skipping(stage);
  if (!stage.speed.empty() && !skipped_as_a_whole(stage)) {
    out += "\n";
    for (const SpeedResult& s : stage.speed) {
      out += fmt::format("  {}  {}: {}  {}\n", paint.status(s.status, 7), s.title,
                         plain_text(s.message),
                         paint.dim(fmt::format("{}/{}", points(s.points), points(s.max_points))));
    }
  }
  if (view.chosen || stage.cases.size() == 1) return out;  // some cases earn no points
  out +=
      fmt::format("  {} of {} points", paint.bold(points(stage.points)), points(stage.max_points));
  if (stage.pending_points > 0) out += fmt::format(", {} pending", points(stage.pending_points));
  if (view.speed_points > 0)
    out += fmt::format("; {} more are for speed", points(view.speed_points));
  return out + ".\n";
}

}  // namespace

std::string indented(const std::string& text, const char* by) {
  std::istringstream lines(plain_text(text));
  std::string result, line;
  while (std::getline(lines, line)) result += by + line + "\n";
  return result;
}

std::string terminal_view(const Result& result, const View& view) {
  const Painter paint(view.colour);
  std::string out;
  for (const std::string& note : result.notes) out += fmt::format("Note: {}\n", plain_text(note));
  if (!result.error.empty()) return out + plain_text(result.error) + "\n";
  for (const StageResult& stage : result.stages) out += "\n" + stage_view(stage, view, paint);
  if (result.stages.size() > 1) {
    out += fmt::format("\nTotal: {} of {} points", paint.bold(points(result.points())),
                       points(result.max_points()));
    if (result.pending_points() > 0) {
      out += fmt::format(", {} pending", points(result.pending_points()));
    }
    out += ".\n";
  }
  if (result.interrupted) out += "\nInterrupted: what was not reached is PENDING.\n";
  return out;
}

}  // namespace convkit

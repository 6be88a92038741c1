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

std::string indented(const std::string& text, const char* by) {
  std::istringstream lines(plain_text(text));
  std::string result, line;
  while (std::getline(lines, line)) result += by + line + "\n";
  return result;
}

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

std::string failing_case(const CaseResult& c, const std::string& stage, const View& view,
                         const Painter& paint) {
  const std::string sizes = c.sizes.empty() ? "" : paint.dim("  " + plain_text(c.sizes));
  std::string out = fmt::format("\n  {}  {} / {}{}{}\n", paint.status(c.status), stage, c.name,
                                c.hidden ? " (hidden)" : "", sizes);
  out += indented(c.message, "    ");
  if (view.details) {
    if (!c.map.empty()) out += indented(c.map, "      ");
    if (!c.hint.empty()) out += indented("Hint: " + c.hint, "    ");
  }
  for (const std::string& warning : c.warnings) {
    out += indented("The compiler warns: " + warning, "    ");
  }
  if (view.printed && !c.printed.empty()) {
    out += paint.dim("    It printed:\n") + indented(c.printed, "      ");
  }
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

// Visible cases of a function with one known mistake.
bool is_same_cause(const CaseResult& a, const CaseResult& b) {
  return !a.mistake.empty() && a.mistake == b.mistake && a.hint == b.hint && a.op == b.op &&
         a.status == b.status && !a.hidden && !b.hidden;
}

// Each cause once, with the first case that shows it: the stages list simple cases first.
std::string failing_cases(const StageResult& stage, const View& view, const Painter& paint) {
  std::string out;
  std::vector<const CaseResult*> causes;
  unsigned shown = 0, left_out = 0;
  for (const CaseResult& c : stage.cases) {
    if (!is_failing(c)) continue;
    const auto is_same = [&](const CaseResult* other) { return is_same_cause(c, *other); };
    if (!view.all_cases && std::ranges::any_of(causes, is_same)) continue;
    if (shown++ >= view.max_failures) {
      ++left_out;
      continue;
    }
    causes.push_back(&c);
    out += failing_case(c, stage.id, view, paint);
    if (view.all_cases) continue;
    std::string others;
    unsigned more = 0;
    for (const CaseResult& other : stage.cases) {
      if (&other == &c || !is_same_cause(c, other)) continue;
      if (++more <= kNamedCases) others += (others.empty() ? "" : ", ") + other.name;
    }
    if (more > kNamedCases) others += fmt::format(" and {} more", more - kNamedCases);
    if (more > 0) out += fmt::format("    The same in {}.\n", others);
  }
  if (left_out > 0) {
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
  if (!stage.message.empty()) out += indented(stage.message, "  ");
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
  if (!stage.log.empty() && (stage.status == Status::build_failed || view.all_cases)) {
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
  return out + ".\n";
}

}  // namespace

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

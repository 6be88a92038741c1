// SPDX-License-Identifier: MIT
#include "report/report_terminal.h"

#include <fmt/format.h>

#include <sstream>

namespace convkit {
namespace {

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
  std::istringstream lines(text);
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

std::string failing_case(const CaseResult& c, const std::string& stage, const View& view,
                         const Painter& paint) {
  std::string out = fmt::format("\n  {}  {} / {}\n", paint.status(c.status), stage, c.name);
  out += indented(c.message, "    ");
  if (view.details) {
    if (!c.map.empty()) out += indented(c.map, "      ");
    if (!c.hint.empty()) out += indented("Hint: " + c.hint, "    ");
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

std::string stage_view(const StageResult& stage, const View& view, const Painter& paint) {
  std::string out =
      fmt::format("{}  {}  {}\n", paint.status(stage.status), paint.bold(stage.id), stage.title);
  if (!stage.message.empty()) out += indented(stage.message, "  ");
  for (const std::string& note : stage.notes) out += fmt::format("  Note: {}\n", note);
  if (stage.status == Status::build_failed && !stage.log.empty()) {
    out += "\n" + indented(stage.log, "    ");
  }
  if (view.all_cases) {
    for (const CaseResult& c : stage.cases) {
      if (c.status == Status::pass) {
        out += fmt::format("  {}  {}\n", paint.status(c.status, 4), c.name);
      }
    }
  }
  // A build that failed has said everything; so has a stage that was never touched.
  const bool skipped_as_a_whole = stage.cases.empty() || stage.status == Status::build_failed ||
                                  stage.status == Status::not_started;
  unsigned shown = 0, left_out = 0;
  for (const CaseResult& c : stage.cases) {
    if (c.status == Status::pass || c.status == Status::pending || skipped_as_a_whole) continue;
    if (c.status == Status::not_started || c.status == Status::skipped) continue;
    if (shown++ < view.max_failures)
      out += failing_case(c, stage.id, view, paint);
    else
      ++left_out;
  }
  if (left_out > 0) out += fmt::format("\n  ... and {} more failing cases.\n", left_out);
  if (!stage.speed.empty() && !skipped_as_a_whole) {
    out += "\n";
    for (const SpeedResult& s : stage.speed) {
      out += fmt::format("  {}  {}: {}  {}\n", paint.status(s.status, 7), s.title, s.message,
                         paint.dim(fmt::format("{}/{}", points(s.points), points(s.max_points))));
    }
  }
  out +=
      fmt::format("  {} of {} points", paint.bold(points(stage.points)), points(stage.max_points));
  if (stage.pending_points > 0) out += fmt::format(", {} pending", points(stage.pending_points));
  return out + ".\n";
}

}  // namespace

std::string terminal_view(const Result& result, const View& view) {
  const Painter paint(view.colour);
  std::string out;
  for (const std::string& note : result.notes) out += fmt::format("Note: {}\n", note);
  if (!result.error.empty()) return out + result.error + "\n";
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

// SPDX-License-Identifier: MIT
#include "report/platforms.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_text.h"
#include "report/plain_text.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

// What a platform shows as one test: a group of cases, a timed shape, or a stage that was not
// built.
struct ShownTest {
  std::string name;
  double points, max_points;
  bool passed;
  std::string output;
  double pending = 0;   // of max_points
  bool known = true;    // whether it has points at all
  bool hidden = false;  // of hidden cases only

  // Nothing of it was judged.
  bool open() const { return known && pending > 0 && pending >= max_points - 0.005; }
};

const char* const kFaultOfTheCourse =
    "The grader failed, which is the course's fault and not yours. Nothing is lost: the course "
    "staff have to grade this submission again. Tell them if they do not.";

// Whole lines, where that is possible: platforms refuse large files.
std::string cut(const std::string& text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t end = text.rfind('\n', most_bytes);
  if (end == std::string::npos || end < most_bytes / 2) end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  const auto lines =
      std::ranges::count(text.begin() + static_cast<ptrdiff_t>(end), text.end(), '\n');
  return fmt::format("{}\n... and {} more lines.\n", text.substr(0, end),
                     std::max<ptrdiff_t>(lines, 1));
}

std::string failing_case(const CaseResult& c) {
  return fmt::format("\n{}  {}{}\n{}\n{}", name_of(c.status), c.name, c.hidden ? " (hidden)" : "",
                     c.message, c.hint.empty() ? "" : fmt::format("Hint: {}\n", c.hint));
}

bool grader_failed(const Result& result) {
  return std::ranges::any_of(
      result.stages, [](const StageResult& stage) { return stage.status == Status::grader_error; });
}

class ShownTests {
 public:
  explicit ShownTests(bool hidden_apart) : hidden_apart_(hidden_apart) {}

  void add(const StageResult& stage) {
    if (stage.groups.empty() || built_nothing(stage)) {
      put(stage, stage.title, stage.points, stage.max_points, stage.pending_points,
          stage.message + "\n" + stage.log);
      // Of a stage that is broken the points are unknown, and none is not all.
      tests_.back().known = stage.max_points > 0 || stage.status != Status::grader_error;
      tests_.back().passed = tests_.back().passed && stage.status == Status::pass;
      return;
    }
    if (!stage.failed_files.empty()) {
      put(stage, "compilation", 0, 0, 0, stage.log);
      tests_.back().passed = tests_.back().known = false;
    }
    for (const GroupResult& group : stage.groups) add(stage, group);
    for (const SpeedResult& s : stage.speed) {
      if (s.max_points == 0) continue;
      put(stage, "speed, " + s.title, s.points, s.max_points, s.pending_points, s.message);
    }
  }
  std::vector<ShownTest> finish() { return std::move(tests_); }

 private:
  void put(const StageResult& stage, const std::string& title, double points, double max_points,
           double pending, const std::string& output) {
    ShownTest test = {fmt::format("{}: {}", stage.id, title),
                      to_two_decimals(points),
                      to_two_decimals(max_points),
                      false,
                      output,
                      to_two_decimals(pending)};
    test.passed = test.points >= test.max_points;
    if (test.pending > 0) test.name += fmt::format(" ({} points are pending)", test.pending);
    tests_.push_back(std::move(test));
  }

  struct Part {
    unsigned passed = 0, open = 0, total = 0;
    std::string failing;
    void add(const CaseResult& c) {
      ++total;
      open += is_judged(c.status) ? 0 : 1;
      passed += c.status == Status::pass ? 1 : 0;
      if (c.status != Status::pass) failing += failing_case(c);
    }
  };

  // The cases of a group share its points evenly.
  void add(const StageResult& stage, const GroupResult& group) {
    Part visible, hidden;
    for (const CaseResult& c : stage.cases) {
      if (c.group == group.name) (c.hidden && hidden_apart_ ? hidden : visible).add(c);
    }
    const double all = std::max(visible.total + hidden.total, 1u);
    if (hidden.total == 0 || visible.total == 0) {
      const Part& part = hidden.total > 0 ? hidden : visible;
      put(stage, group.title, group.points, group.max_points, group.max_points * part.open / all,
          part);
      tests_.back().hidden = hidden.total > 0;
      return;
    }
    const double most = to_two_decimals(group.max_points * visible.total / all);
    const double points = to_two_decimals(group.max_points * visible.passed / all);
    put(stage, group.title, points, most, group.max_points * visible.open / all, visible);
    put(stage, group.title + ", hidden cases", group.points - points, group.max_points - most,
        group.max_points * hidden.open / all, hidden);
    tests_.back().hidden = true;
  }

  void put(const StageResult& stage, const std::string& title, double points, double max_points,
           double pending, const Part& part) {
    put(stage, title, points, max_points, pending,
        fmt::format("{} of {} {}.\n", part.passed, part.total,
                    part.total == 1 ? "case passes" : "cases pass") +
            part.failing);
  }

  bool hidden_apart_;
  std::vector<ShownTest> tests_;
};

std::vector<ShownTest> shown_tests(const Result& result, bool hidden_apart = false) {
  ShownTests tests(hidden_apart);
  for (const StageResult& stage : result.stages) tests.add(stage);
  return tests.finish();
}

// What concerns the whole submission, as sentences; "" where there is nothing to say.
std::string whole_message(const Result& result, const std::string& pending_points) {
  std::string text;
  const auto say = [&](const std::string& sentence) {
    text += (text.empty() ? "" : "\n") + sentence;
  };
  if (grader_failed(result)) say(kFaultOfTheCourse);
  if (result.interrupted) {
    say("The grading was ended before its time, so not all was judged. If your program runs for "
        "long or never ends, mend that first; else tell the course staff.");
  }
  if (!result.error.empty()) say(result.error);
  for (const std::string& note : result.notes) say(note);
  if (!pending_points.empty()) {
    say(
        fmt::format("{} points are PENDING, and count as 0 here for now: they are for speed, or "
                    "for what could not be judged on this machine. The course staff measure that "
                    "elsewhere.",
                    pending_points));
  }
  return plain_text(text);
}

// Text of a submission as text of XML: without the characters that XML cannot hold.
std::string xml(const std::string& text) {
  std::string out;
  for (const char c : plain_text(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

const std::vector<Platform>& platforms() {
  static const std::vector<Platform> all = {{"gradescope", to_gradescope},
                                            {"prairielearn", to_prairielearn},
                                            {"autolab", to_autolab},
                                            {"github", to_github},
                                            {"junit", to_junit}};
  return all;
}

std::string to_gradescope(const Result& result, const PlatformOptions& options) {
  constexpr size_t kMostOutput = 16 << 10;
  const double all = result.max_points();
  const double scale = options.points > 0 && all > 0 ? options.points / all : 1;
  const auto scaled = [&](double points) { return to_two_decimals(points * scale); };
  const bool apart = options.hidden_cases != "visible";
  ordered_json tests = ordered_json::array();
  for (const ShownTest& test : shown_tests(result, apart)) {
    ordered_json shown = {{"name", plain_text(test.name)}, {"name_format", "text"}};
    if (test.known && !test.open()) {
      shown["score"] = scaled(test.points);
      shown["max_score"] = scaled(test.max_points);
    }
    if (test.pending == 0) shown["status"] = test.passed ? "passed" : "failed";
    shown["output"] = cut(plain_text(test.output), kMostOutput);
    shown["output_format"] = "text";
    if (test.hidden) shown["visibility"] = options.hidden_cases;
    tests.push_back(std::move(shown));
  }
  const double pending = scaled(result.pending_points());
  // By default Gradescope reads the output as HTML.
  return json_text(
      {{"score", scaled(result.points())},
       {"output", whole_message(result, pending > 0 ? fmt::format("{}", pending) : "")},
       {"output_format", "text"},
       {"tests", tests}});
}

std::string to_prairielearn(const Result& result, const PlatformOptions&) {
  constexpr size_t kMostBytes = 1'000'000, kLeastOutput = 256;
  const double all = result.max_points();
  const double pending = to_two_decimals(result.pending_points());
  const std::string message = whole_message(result, pending > 0 ? fmt::format("{}", pending) : "");
  // What could not be read is not a wrong answer: the student may send it again.
  const bool gradable = result.error.empty() && !grader_failed(result);
  const std::vector<ShownTest> shown = shown_tests(result);
  std::string text;
  for (size_t most = 64 << 10;; most /= 2) {
    ordered_json tests = ordered_json::array();
    for (const ShownTest& test : shown) {
      tests.push_back({{"name", plain_text(test.name)},
                       {"points", test.points},
                       {"max_points", test.max_points},
                       {"output", cut(plain_text(test.output), most)}});
    }
    ordered_json page = {{"gradable", gradable},
                         {"score", all > 0 ? std::clamp(result.points() / all, 0.0, 1.0) : 0},
                         {"message", message},
                         {"tests", tests}};
    if (!gradable) page["format_errors"] = message;
    text = json_text(page);
    if (text.size() <= kMostBytes || most <= kLeastOutput) return text;
  }
}

std::string to_autolab(const Result& result, const PlatformOptions&) {
  ordered_json page = {{"_presentation", "semantic"}, {"stages", ordered_json::array()}};
  ordered_json scores = ordered_json::object();
  const auto put = [&](const std::string& stage, const std::string& test, bool passed,
                       const std::string& hint) {
    if (!page.contains(stage)) {
      page["stages"].push_back(stage);
      page[stage] = ordered_json::object();
    }
    page[stage][test] = {{"passed", passed}, {"hint", plain_text(hint)}};
  };
  if (!result.error.empty()) put("submission", "can be read", false, result.error);
  for (const StageResult& stage : result.stages) {
    const bool failed = stage.status == Status::grader_error;
    if (failed || stage.groups.empty() || built_nothing(stage)) {
      put(stage.id, stage.title, false,
          failed ? std::string(kFaultOfTheCourse) + " " + stage.message : stage.message);
    } else {
      for (const GroupResult& group : stage.groups) {
        put(stage.id, group.title, group.passed == group.total,
            fmt::format("{} of {} cases pass", group.passed, group.total));
      }
    }
    if (!failed) scores[stage.id] = to_two_decimals(stage.points);
  }
  return json_line(page) + "\n" + json_line({{"scores", scores}}) + "\n";
}

std::string to_github(const Result& result, const PlatformOptions&) {
  constexpr size_t kMostBytes = 72'000, kLeastOutput = 128;  // base64 makes 4 of 3; 128 KiB fit
  const bool failed = grader_failed(result);
  std::vector<ShownTest> shown = shown_tests(result);
  if (!result.error.empty()) {
    shown.insert(shown.begin(), {"the submission can be read", 0, 0, false, result.error});
  }
  const auto is_fine = [](const ShownTest& test) { return test.passed || test.pending > 0; };
  const bool passed = std::ranges::all_of(shown, is_fine);
  std::string text;
  for (size_t most = 8 << 10;; most /= 2) {
    ordered_json tests = ordered_json::array();
    for (const ShownTest& test : shown) {
      // A pending speed is no mistake: it earns nothing here, and does not make the run fail.
      if (test.open() && !failed) continue;
      ordered_json of = {{"name", plain_text(test.name)},
                         {"status", failed        ? "error"
                                    : test.passed ? "pass"
                                                  : "fail"},
                         {"score", test.points}};
      if (!test.passed) of["message"] = cut(plain_text(test.output), most);
      tests.push_back(std::move(of));
    }
    text = json_line({{"version", 1},
                      {"status", failed   ? "error"
                                 : passed ? "pass"
                                          : "fail"},
                      {"max_score", to_two_decimals(result.max_points())},
                      {"tests", tests}}) +
           "\n";
    if (text.size() <= kMostBytes || most <= kLeastOutput) return text;
  }
}

namespace {

// A test that is no case: what kept cases from running.
std::string junit_fault(const std::string& of, const std::string& name, const char* element,
                        const char* type, const std::string& text) {
  return fmt::format(
      "    <testcase classname=\"{0}\" name=\"{1}\"><{2} type=\"{3}\">{4}</{2}></testcase>\n",
      xml(of), xml(name), element, type, xml(text));
}

std::string junit_case(const StageResult& stage, const CaseResult& c, bool open) {
  std::string text = fmt::format("    <testcase classname=\"{}.{}\" name=\"{}{}\"", xml(stage.id),
                                 xml(c.group), xml(c.name), c.hidden ? " (hidden)" : "");
  if (c.status == Status::pass) return text + "/>\n";
  if (open) {
    return text + fmt::format("><skipped message=\"{}\"/></testcase>\n",
                              xml(std::string(name_of(c.status)) + ": " + c.message));
  }
  return text + fmt::format("><failure type=\"{}\">{}</failure></testcase>\n", name_of(c.status),
                            xml(c.message + (c.hint.empty() ? "" : "\nHint: " + c.hint)));
}

std::string junit_suite(const StageResult& stage) {
  const auto open = [](const CaseResult& c) {
    return c.status == Status::skipped || !is_judged(c.status);
  };
  size_t failures = 0, skipped = 0, errors = 0;
  std::string tests;
  // Without it, a stage of which nothing was run would look as if nothing were wrong.
  const bool faulty = stage.cases.empty() || built_nothing(stage);
  if (stage.status == Status::grader_error) {
    ++errors;
    tests += junit_fault(stage.id, "the grader", "error", name_of(stage.status), stage.message);
  } else if (faulty && stage.status != Status::pass) {
    ++failures;
    tests += junit_fault(stage.id, "the stage can be graded", "failure", name_of(stage.status),
                         stage.message + "\n" + stage.log);
  }
  const size_t faults = failures + errors;
  for (const CaseResult& c : stage.cases) {
    const bool is_open = open(c);
    skipped += is_open ? 1 : 0;
    failures += !is_open && c.status != Status::pass ? 1 : 0;
    tests += junit_case(stage, c, is_open);
  }
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"{}\" "
      "time=\"{:.3f}\">\n{}  </testsuite>\n",
      xml(stage.id), faults + stage.cases.size(), failures, skipped, errors, stage.run_s, tests);
}

}  // namespace

std::string to_junit(const Result& result, const PlatformOptions&) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"convkit\">\n";
  if (!result.error.empty()) {
    text +=
        "  <testsuite name=\"submission\" tests=\"1\" failures=\"1\" skipped=\"0\" errors=\"0\" "
        "time=\"0.000\">\n" +
        junit_fault("submission", "it can be read", "failure", "UNREADABLE", result.error) +
        "  </testsuite>\n";
  }
  for (const StageResult& stage : result.stages) text += junit_suite(stage);
  return text + "</testsuites>\n";
}

}  // namespace convkit

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
};

std::string failing_case(const CaseResult& c) {
  return fmt::format("\n{}  {}{}\n{}\n{}", name_of(c.status), c.name, c.hidden ? " (hidden)" : "",
                     c.message, c.hint.empty() ? "" : fmt::format("Hint: {}\n", c.hint));
}

std::vector<ShownTest> shown_tests(const Result& result) {
  std::vector<ShownTest> tests;
  const auto add = [&](const StageResult& stage, const std::string& title, double points,
                       double max_points, const std::string& output) {
    // Of a stage that is broken the points are unknown, and none is not all.
    const bool unknown = max_points == 0 && stage.status == Status::grader_error;
    tests.push_back({fmt::format("{}: {}", stage.id, title), to_two_decimals(points),
                     to_two_decimals(max_points),
                     to_two_decimals(points) >= to_two_decimals(max_points) && !unknown, output});
  };
  for (const StageResult& stage : result.stages) {
    if (stage.groups.empty() || built_nothing(stage)) {
      add(stage, stage.title, stage.points, stage.max_points, stage.message + "\n" + stage.log);
      continue;
    }
    for (const GroupResult& group : stage.groups) {
      std::string output = fmt::format("{} of {} {}.\n", group.passed, group.total,
                                       group.total == 1 ? "case passes" : "cases pass");
      for (const CaseResult& c : stage.cases) {
        if (c.group == group.name && c.status != Status::pass) output += failing_case(c);
      }
      add(stage, group.title, group.points, group.max_points, output);
    }
    for (const SpeedResult& s : stage.speed) {
      add(stage, "speed, " + s.title, s.points, s.max_points, s.message);
    }
  }
  return tests;
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

std::string one_line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

const std::vector<Platform>& platforms() {
  static const std::vector<Platform> all = {{"gradescope", to_gradescope},
                                            {"prairielearn", to_prairielearn},
                                            {"autolab", to_autolab},
                                            {"junit", to_junit}};
  return all;
}

std::string to_gradescope(const Result& result) {
  ordered_json tests = ordered_json::array();
  for (const ShownTest& test : shown_tests(result)) {
    tests.push_back({{"name", test.name},
                     {"score", test.points},
                     {"max_score", test.max_points},
                     {"status", test.passed ? "passed" : "failed"},
                     {"output", test.output}});
  }
  return json_text(
      {{"score", to_two_decimals(result.points())}, {"output", result.error}, {"tests", tests}});
}

std::string to_prairielearn(const Result& result) {
  ordered_json tests = ordered_json::array();
  for (const ShownTest& test : shown_tests(result)) {
    tests.push_back({{"name", test.name},
                     {"points", test.points},
                     {"max_points", test.max_points},
                     {"output", test.output}});
  }
  const double all = result.max_points();
  // What could not be read is not a wrong answer: the student may send it again.
  return json_text({{"gradable", result.error.empty()},
                    {"score", all > 0 ? result.points() / all : 0},
                    {"message", result.error},
                    {"tests", tests}});
}

std::string to_autolab(const Result& result) {
  ordered_json page = {{"_presentation", "semantic"}, {"stages", ordered_json::array()}};
  ordered_json scores = ordered_json::object();
  for (const StageResult& stage : result.stages) {
    ordered_json& groups = page[stage.id] = ordered_json::object();
    page["stages"].push_back(stage.id);
    for (const GroupResult& group : stage.groups) {
      groups[group.title] = {
          {"passed", group.passed == group.total},
          {"hint", fmt::format("{} of {} cases pass", group.passed, group.total)}};
    }
    scores[stage.id] = to_two_decimals(stage.points);
  }
  return one_line(page) + one_line({{"scores", scores}});
}

std::string to_junit(const Result& result) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"convkit\">\n";
  for (const StageResult& stage : result.stages) {
    const auto count = [&](auto is) { return std::ranges::count_if(stage.cases, is); };
    const auto open = [](const CaseResult& c) {
      return c.status == Status::skipped || !is_judged(c.status);
    };
    const auto fails = [&](const CaseResult& c) { return c.status != Status::pass && !open(c); };
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\" "
        "time=\"{:.3f}\">\n",
        xml(stage.id), stage.cases.size(), count(fails), count(open), stage.run_s);
    for (const CaseResult& c : stage.cases) {
      text += fmt::format("    <testcase classname=\"{}.{}\" name=\"{}{}\"", xml(stage.id),
                          xml(c.group), xml(c.name), c.hidden ? " (hidden)" : "");
      if (c.status == Status::pass) {
        text += "/>\n";
      } else if (open(c)) {
        text += fmt::format("><skipped message=\"{}\"/></testcase>\n",
                            xml(std::string(name_of(c.status)) + ": " + c.message));
      } else {
        text += fmt::format("><failure type=\"{}\">{}</failure></testcase>\n", name_of(c.status),
                            xml(c.message + (c.hint.empty() ? "" : "\nHint: " + c.hint)));
      }
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace convkit

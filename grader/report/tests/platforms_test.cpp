// SPDX-License-Identifier: MIT
#include "report/platforms.h"

#include <nlohmann/json.hpp>

#include <sstream>

#include "catch.h"
#include "example_result.h"

namespace convkit {
namespace {

using Catch::Contains;
using nlohmann::json;

}  // namespace

TEST_CASE("Gradescope gets a score, and each group and timed shape as a test of its own") {
  Result result = example();
  const json parsed = json::parse(to_gradescope(result));
  CHECK(parsed["score"] == 6.0);
  REQUIRE(parsed["tests"].size() == 2);
  const json& group = parsed["tests"][0];
  CHECK(group["name"] == "01_test: Convolution");
  CHECK(group["score"] == 5.0);
  CHECK(group["max_score"] == 10.0);
  CHECK(group["status"] == "failed");
  CHECK_THAT(group["output"].get<std::string>(),
             Catch::StartsWith("1 of 2 cases pass.\n") &&
                 Catch::Contains("WRONG  two\n2 of 9 differ.") &&
                 Catch::Contains("Hint: Look at the border."));
  CHECK(parsed["tests"][1]["max_score"] == 4.0);

  // One part that passes is passed, whatever the others are.
  result.stages[0].speed[0].points = 4;
  CHECK(json::parse(to_gradescope(result))["tests"][1]["status"] == "passed");

  result.stages.clear();
  result.error = "The archive is empty.";
  const json unread = json::parse(to_gradescope(result));
  CHECK(unread["score"] == 0.0);
  CHECK(unread["output"] == "The archive is empty.");
  CHECK(unread["tests"].empty());
}

TEST_CASE("PrairieLearn gets a share of all points, and no score for what cannot be read") {
  Result result = example();
  const json parsed = json::parse(to_prairielearn(result));
  CHECK(parsed["gradable"] == true);
  CHECK(parsed["score"].get<double>() == Approx(6.0 / 14));
  REQUIRE(parsed["tests"].size() == 2);
  CHECK(parsed["tests"][0]["points"] == 5.0);
  CHECK(parsed["tests"][0]["max_points"] == 10.0);

  result.stages.clear();
  result.error = "The archive is empty.";
  const json unread = json::parse(to_prairielearn(result));
  CHECK(unread["gradable"] == false);
  CHECK(unread["score"] == 0);
  CHECK(unread["message"] == "The archive is empty.");
}

TEST_CASE("Autolab gets its page on one line and the points of each stage on the last") {
  std::istringstream lines(to_autolab(example()));
  std::string page, scores, rest;
  std::getline(lines, page);
  std::getline(lines, scores);
  CHECK_FALSE(std::getline(lines, rest));
  CHECK(json::parse(scores) == json{{"scores", {{"01_test", 6.0}}}});
  const json parsed = json::parse(page);
  CHECK(parsed["_presentation"] == "semantic");
  CHECK(parsed["stages"] == json::array({"01_test"}));
  CHECK(parsed["01_test"]["Convolution"]["passed"] == false);
}

TEST_CASE("JUnit gets a suite for each stage and a test for each case") {
  Result result = example();
  result.stages[0].cases.push_back(case_of("three", Status::skipped, "Not run."));
  const std::string text = to_junit(result);
  CHECK_THAT(text,
             Contains("<testsuite name=\"01_test\" tests=\"3\" failures=\"1\" skipped=\"1\""));
  CHECK_THAT(text, Contains("<testcase classname=\"01_test.conv\" name=\"one\"/>"));
  CHECK_THAT(text, Contains("<failure type=\"WRONG\">2 of 9 differ.\nHint: Look at the border."));
  CHECK_THAT(text, Contains("<skipped message=\"SKIPPED: Not run.\"/>"));
}

TEST_CASE(
    "hidden cases that students see later are a test of their own, with their share of points") {
  Result result = example();
  StageResult& stage = result.stages[0];
  CaseResult hidden = case_of("two", Status::wrong, "Width 2.");
  hidden.hidden = true;
  stage.cases.push_back(hidden);
  stage.groups[0] = {"conv", "Convolution", 1, 3, 10.0 / 3, 10};
  PlatformOptions later;
  later.hidden_cases = "after_published";
  const json tests = json::parse(to_gradescope(result, later))["tests"];
  REQUIRE(tests.size() == 3);
  CHECK(tests[0]["max_score"] == 6.67);
  CHECK(tests[0]["score"] == 3.33);
  CHECK(tests[0].count("visibility") == 0);
  CHECK_THAT(tests[0]["output"].get<std::string>(),
             Catch::StartsWith("1 of 2 cases pass.") && !Contains("Width 2."));
  CHECK(tests[1]["name"] == "01_test: Convolution, hidden cases");
  CHECK(tests[1]["max_score"] == 3.33);
  CHECK(tests[1]["score"] == 0.0);
  CHECK(tests[1]["visibility"] == "after_published");

  CHECK(json::parse(to_gradescope(result))["tests"].size() == 2);
}

TEST_CASE("what nobody judged has no score and no status at Gradescope, and is named") {
  Result result = example();
  StageResult& stage = result.stages[0];
  stage.speed[0] = speed_of(Status::pending);
  stage.speed[0].points = 0;
  stage.speed[0].pending_points = 4;
  stage.cases[1] = case_of("two", Status::pending, "Not run.");
  stage.pending_points = 9;
  stage.points = 5;
  const json page = json::parse(to_gradescope(result));
  CHECK(page["score"] == 5.0);
  CHECK_THAT(page["output"].get<std::string>(), Catch::StartsWith("9 points are PENDING"));
  CHECK(page["output_format"] == "text");
  const json& group = page["tests"][0];
  CHECK(group["name"] == "01_test: Convolution (5 points are pending)");
  CHECK(group["score"] == 5.0);
  CHECK(group.count("status") == 0);
  const json& speed = page["tests"][1];
  CHECK(speed["name"] == "01_test: speed, Small shape (4 points are pending)");
  CHECK((speed.count("score") == 0 && speed.count("status") == 0));
}

TEST_CASE("points are called what the assignment calls them") {
  Result result = example();
  PlatformOptions options;
  options.points = 7;
  const json page = json::parse(to_gradescope(result, options));
  CHECK(page["score"] == 3.0);
  CHECK(page["tests"][0]["max_score"] == 5.0);
}

TEST_CASE("a long log stays within what a platform takes, in whole lines") {
  Result result = example();
  for (int i = 0; i < 40; ++i) result.stages.push_back(result.stages[0]);
  std::string log;
  for (int i = 0; i < 4000; ++i) log += "\"quoted\" line \xc3\xa9\n";
  for (StageResult& stage : result.stages) stage.cases[1].message = log;
  const std::string text = to_prairielearn(result);
  CHECK(text.size() <= 1'000'000);
  const std::string output = json::parse(text)["tests"][0]["output"];
  CHECK_THAT(output, Catch::EndsWith(" more lines.\n"));
  CHECK(to_github(result).size() <= 72'000);
  CHECK(json::parse(to_gradescope(result))["tests"][0]["output"].get<std::string>().size() <
        17'000);
}

TEST_CASE("a stage in which the kit failed stays ungraded, and a broken build is no green test") {
  Result result = example();
  StageResult& stage = result.stages[0];
  stage.status = Status::grader_error;
  stage.message = "The references are damaged.";
  CHECK(json::parse(to_prairielearn(result))["gradable"] == false);
  CHECK_THAT(to_autolab(result), Catch::EndsWith("{\"scores\":{}}\n"));
  CHECK_THAT(to_junit(result), Contains("errors=\"1\"") && Contains("<error type"));
  CHECK(json::parse(to_github(result))["status"] == "error");

  stage.status = Status::build_failed;
  for (CaseResult& c : stage.cases) c.status = Status::skipped;
  CHECK_THAT(to_junit(result),
             Contains("failures=\"1\"") && Contains("<failure type=\"BUILD_FAILED\">"));
}

TEST_CASE("text of a submission stays text in XML") {
  Result result = example();
  result.stages[0].cases[1].message = "</failure><x a=\"1\">&\x1b[31m\xff";
  const std::string text = to_junit(result);
  CHECK_THAT(text, Contains("&lt;/failure&gt;&lt;x a=&quot;1&quot;&gt;&amp;"));
  CHECK_THAT(text, !Contains("\x1b"));
}

}  // namespace convkit

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

TEST_CASE("text of a submission stays text in XML") {
  Result result = example();
  result.stages[0].cases[1].message = "</failure><x a=\"1\">&\x1b[31m\xff";
  const std::string text = to_junit(result);
  CHECK_THAT(text, Contains("&lt;/failure&gt;&lt;x a=&quot;1&quot;&gt;&amp;"));
  CHECK_THAT(text, !Contains("\x1b"));
}

}  // namespace convkit

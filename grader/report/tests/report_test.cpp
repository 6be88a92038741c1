// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "catch.h"
#include "example_result.h"
#include "report/plain_text.h"
#include "report/platforms.h"
#include "report/report_terminal.h"
#include "report/result.h"

namespace convkit {
namespace {

using nlohmann::json;

StageResult stage_of(std::vector<Status> cases, std::vector<Status> speed = {}) {
  StageResult stage;
  for (Status status : cases) stage.cases.push_back(case_of("c", status));
  for (Status status : speed) stage.speed.push_back(speed_of(status));
  return stage;
}

}  // namespace

TEST_CASE("the JSON of a result is pinned") {
  CHECK(to_json(example()) == R"({
  "schema": "convkit-result-1",
  "kit_version": "0.1.0",
  "started": "2026-01-02T03:04:05Z",
  "device": "cpu",
  "sandbox": "resource limits",
  "submission": {
    "name": "ada.zip",
    "sha256": "ab"
  },
  "nonce": "cd",
  "depends": {
    "device": "cpu"
  },
  "fingerprints": {
    "limit case_s of 01_test": "10"
  },
  "choices": {
    "hidden": true
  },
  "points": 6.0,
  "max_points": 14.0,
  "pending_points": 0.0,
  "interrupted": false,
  "notes": [],
  "stages": [
    {
      "id": "01_test",
      "title": "Test",
      "status": "WRONG",
      "message": "1 of 2 cases pass: 1 wrong.",
      "points": 6.0,
      "max_points": 14.0,
      "pending_points": 0.0,
      "build_s": 0.0,
      "run_s": 0.0,
      "notes": [
        "The submission defines main(); the grader does not call it."
      ],
      "references": [
        {
          "set": "visible",
          "cases": 2,
          "seed": null,
          "manifest_sha256": "cd"
        },
        {
          "set": "hidden",
          "cases": 1,
          "seed": "12ab",
          "manifest_sha256": "ef"
        }
      ],
      "groups": [
        {
          "name": "conv",
          "title": "Convolution",
          "passed": 1,
          "total": 2,
          "points": 5.0,
          "max_points": 10.0
        }
      ],
      "cases": [
        {
          "name": "one",
          "group": "conv",
          "task": "01.1",
          "op": "conv2d_forward",
          "status": "PASS",
          "message": "",
          "hint": "",
          "hidden": false
        },
        {
          "name": "two",
          "group": "conv",
          "task": "01.1",
          "op": "conv2d_forward",
          "status": "WRONG",
          "message": "2 of 9 differ.",
          "hint": "Look at the border.",
          "hidden": false,
          "mistake": "off_by_one_border",
          "map": "#.\n.#",
          "printed": "debug\n"
        }
      ],
      "speed": [
        {
          "name": "small",
          "title": "Small shape",
          "status": "SLOW",
          "message": "2.5x the baseline's speed.",
          "points": 1.0,
          "max_points": 4.0,
          "pending_points": 0.0,
          "pairs": 7,
          "ratio": {
            "median": 2.51235,
            "lower_quartile": 2.4,
            "upper_quartile": 2.6
          },
          "submission_ms": 1.5,
          "baseline_ms": 3.75,
          "gflops": 12.0
        }
      ]
    }
  ]
}
)");
}

TEST_CASE("text that is not UTF-8 and values that are not numbers still make valid JSON") {
  Result result = example();
  result.stages[0].cases[1].printed = "\xff\xc3(\x1b[31m\0x";
  result.stages[0].log = std::string("a\0b", 3);
  result.stages[0].speed[0].gflops = std::numeric_limits<double>::infinity();
  result.stages[0].speed[0].ratio = std::numeric_limits<double>::quiet_NaN();
  const json parsed = json::parse(to_json(result));
  CHECK(parsed["stages"][0]["cases"][1]["printed"] == "\xef\xbf\xbd\xef\xbf\xbd(\x1b[31m");
  CHECK(parsed["stages"][0]["speed"][0]["gflops"].is_null());
  CHECK(parsed["stages"][0]["speed"][0]["ratio"]["median"].is_null());
  CHECK_NOTHROW(json::parse(to_gradescope(result)));
}

TEST_CASE("the terminal view is pinned") {
  View view;
  view.reproduce = "./convkit check 1 --case {}";
  view.printed = true;
  CHECK(terminal_view(example(), view) == R"(
WRONG  01_test  Test
  1 of 2 cases pass: 1 wrong.
                   cases        points
  Convolution     1 of 2       5 of 10
  Note: The submission defines main(); the grader does not call it.

  WRONG  01_test / two
    2 of 9 differ.
      #.
      .#
    Hint: Look at the border.
    It printed:
      debug
    Reproduce: ./convkit check 1 --case two

  SLOW     Small shape: 2.5x the baseline's speed.  1/4
  6 of 14 points.
)");
}

TEST_CASE("a failing case is told with its sizes and with what the compiler has warned of") {
  Result result = example();
  CaseResult& wrong = result.stages[0].cases[1];
  wrong.sizes = "n 1, h 5";
  wrong.warnings = {"a.cpp:3: 'sum' is used uninitialized"};
  const std::string view = terminal_view(result, View{});
  CHECK_THAT(view, Catch::Contains("\n  WRONG  01_test / two  n 1, h 5\n    2 of 9 differ.\n"));
  CHECK_THAT(view,
             Catch::Contains("    The compiler warns: a.cpp:3: 'sum' is used uninitialized\n"));
  const json cases = json::parse(to_json(result))["stages"][0]["cases"];
  CHECK(cases[1]["sizes"] == "n 1, h 5");
  CHECK(cases[1]["warnings"] == json{"a.cpp:3: 'sum' is used uninitialized"});
  CHECK_FALSE(cases[0].contains("sizes"));
  CHECK_FALSE(cases[0].contains("warnings"));
}

TEST_CASE("an error of the compiler stands once, in its log") {
  Result result;
  StageResult stage = stage_of({Status::build_failed, Status::build_failed});
  stage.id = "01_test";
  stage.status = Status::build_failed;
  stage.message = "a.cpp:7:18: it is wrong\n0 of 2 cases pass: 2 not built.";
  stage.log = "a.cpp: In function 'f':\na.cpp:7:18: error: it is wrong\n";
  for (CaseResult& c : stage.cases) {
    c.message = "`f` is in `a.cpp`, which does not compile: a.cpp:7:18: it is wrong";
  }
  result.stages = {stage};
  const std::string text = terminal_view(result, {});
  CHECK(text.find("it is wrong") == text.rfind("it is wrong"));
  CHECK(text.find("`f` is in `a.cpp`, which does not compile.\n") != text.npos);
  CHECK(text.find("    The same in c.\n") != text.npos);
  // What the kit says in its own words is not in the log.
  result.stages[0].message = "a.cpp:7:18: A semicolon is missing. (it is wrong)";
  CHECK(terminal_view(result, {}).find("A semicolon is missing.") != text.npos);
}

TEST_CASE("of some cases no points are told, as points are of all") {
  View view;
  view.chosen = true;
  const std::string text = terminal_view(example(), view);
  CHECK_THAT(text, Catch::Contains("  Convolution     1 of 2\n"));
  CHECK_THAT(text, !Catch::Contains("points"));
}

TEST_CASE("why cases were skipped is said once for each reason") {
  Result result = example();
  StageResult& stage = result.stages[0];
  const std::string given_up = "Skipped: conv2d_forward ended with TIMED_OUT in case one.";
  const auto left_out = [](const std::string& name, Status status, LeftOut why,
                           const std::string& message) {
    CaseResult c = case_of(name, status, message);
    c.left_out = why;
    return c;
  };
  stage.cases = {left_out("one", Status::timed_out, LeftOut::no, "Slow."),
                 left_out("two", Status::skipped, LeftOut::given_up, given_up),
                 left_out("three", Status::skipped, LeftOut::given_up, given_up),
                 left_out("four", Status::skipped, LeftOut::time_used_up,
                          "Skipped: earlier cases used up the stage's 1 s."),
                 left_out("five", Status::pending, LeftOut::machine_busy,
                          "Pending: the stage's cases took long."),
                 // Hidden cases: with their public sentence, and with a reason of the stage.
                 left_out("six", Status::skipped, LeftOut::no, "A large image."),
                 left_out("seven", Status::skipped, LeftOut::time_used_up,
                          "Skipped: earlier cases used up the stage's 1 s.")};
  stage.cases[5].hidden = stage.cases[6].hidden = true;
  CHECK_THAT(
      terminal_view(result, {}),
      Catch::Contains("\n  2 cases: Skipped: conv2d_forward ended with TIMED_OUT in case one.\n"
                      "  2 cases: Skipped: earlier cases used up the stage's 1 s.\n"
                      "  1 case: Pending: the stage's cases took long.\n\n  SLOW"));
}

TEST_CASE(
    "failing cases beyond the limit are counted, and a hidden one has no way to reproduce it") {
  Result result = example();
  View view;
  view.reproduce = "./convkit check 1 --case {}";
  view.max_failures = 2;
  result.stages[0].cases.assign(5, case_of("w", Status::wrong, "Wrong."));
  CHECK_THAT(terminal_view(result, view), Catch::Contains("... and 3 more failing cases."));
  view.max_failures = 4;
  CHECK_THAT(terminal_view(result, view), Catch::Contains("... and 1 more failing case."));
  view.max_failures = 2;
  result.stages[0].cases.assign(2, case_of("w", Status::wrong, "Wrong."));
  for (CaseResult& c : result.stages[0].cases) c.hidden = true;
  CHECK_THAT(terminal_view(result, view), !Catch::Contains("Reproduce"));
}

TEST_CASE("a cause is shown once, with the cases that it explains, and leaves room for others") {
  Result result = example();
  View view;
  view.max_failures = 2;
  auto& cases = result.stages[0].cases;
  cases.clear();
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    cases.push_back(case_of(name, Status::wrong, "Wrong."));
    cases.back().op = "conv2d_forward";
    cases.back().mistake = "flipped_kernel";
  }
  cases[2].mistake = "missing_bias";
  cases[3].mistake.clear();
  const std::string shown = terminal_view(result, view);
  CHECK_THAT(shown, Catch::Contains("/ a\n    Wrong.\n    The same in b, e, f and 1 more.\n"));
  CHECK_THAT(shown, Catch::Contains("/ c\n    Wrong.\n\n  ... and 1 more failing case.\n"));
  // A hidden case tells nothing, and another function may have the same mistake somewhere else.
  cases[1].hidden = true;
  for (size_t i = 4; i < cases.size(); ++i) cases[i].op = "conv2d_fast";
  view.max_failures = 9;
  const std::string apart = terminal_view(result, view);
  CHECK_THAT(apart, Catch::Contains("/ a\n    Wrong.\n\n"));
  CHECK_THAT(apart, Catch::Contains("/ e\n    Wrong.\n    The same in f, g.\n"));
  view.all_cases = true;
  CHECK_THAT(terminal_view(result, view), !Catch::Contains("The same in"));
}

TEST_CASE("a wrong output without a cause is counted where another of the function has one") {
  StageResult stage = stage_of({Status::wrong, Status::wrong, Status::wrong});
  const char* names[] = {"bare", "with_cause", "of_another"};
  for (size_t i = 0; i < 3; ++i) {
    stage.cases[i].name = names[i];
    stage.cases[i].op = i < 2 ? "one" : "other";
    stage.cases[i].mistake.clear();
    stage.cases[i].message = "The message of " + std::string(names[i]) + ".";
  }
  stage.cases[1].mistake = "formula";
  stage.cases[1].explained = true;
  Result result;
  result.stages = {stage};
  View view;
  const std::string text = terminal_view(result, view);
  CHECK(text.find("The message of bare.") == text.npos);
  CHECK(text.find("    Perhaps the same in bare.\n") != text.npos);
  CHECK(text.find("The message of of_another.") != text.npos);
  view.all_cases = true;
  CHECK(terminal_view(result, view).find("The message of bare.") != text.npos);
}

TEST_CASE("what a report of the device says stands once") {
  StageResult stage = stage_of({Status::wrong});
  CaseResult& c = stage.cases[0];
  c.message = "f: thread 1 writes `t`. (f, block 0)";
  c.hint = "Put a barrier.";
  c.printed =
      "mine\nconvkit: race: thread 1 writes `t`.\n    a.cu:3: t[i] = 0;\n  in f, block 0\n"
      "  Put a barrier.\nconvkit: leak: allocation 1.\n";
  Result result;
  result.stages = {stage};
  View view;
  view.printed = true;
  const std::string text = terminal_view(result, view);
  CHECK(text.find("thread 1 writes") == text.rfind("thread 1 writes"));
  CHECK(text.find("Put a barrier.") == text.rfind("Put a barrier."));
  for (const char* kept : {"      mine\n", "a.cu:3: t[i] = 0;", "convkit: leak: allocation 1."}) {
    CHECK(text.find(kept) != text.npos);
  }
}

TEST_CASE("nothing that a submission chose reaches the terminal as a control sequence") {
  Result result = example();
  const std::string evil =
      "\x1b[2J\x1b]0;owned\x07 \xc2\x9b"
      "31m \xe2\x80\xae"
      "gpj.exe \xff\r";
  StageResult& stage = result.stages[0];
  stage.notes = {evil};
  stage.log = evil;
  stage.status = Status::build_failed;
  result.notes = {evil};
  View view;
  view.printed = view.all_cases = true;
  const auto is_plain = [](const std::string& text) {
    return text.find_first_of("\x1b\x07\r\xff") == std::string::npos &&
           text.find("\xc2\x9b") == std::string::npos &&
           text.find("\xe2\x80\xae") == std::string::npos;
  };
  CHECK(is_plain(terminal_view(result, view)));
  stage.status = Status::wrong;
  stage.message = stage.cases[1].message = stage.cases[1].hint = stage.cases[1].printed = evil;
  stage.cases[1].map = stage.speed[0].message = evil;
  CHECK(is_plain(terminal_view(result, view)));
  result.error = evil;
  CHECK(is_plain(terminal_view(result, view)));
}

TEST_CASE("plain text keeps letters of every script, line feeds and tabs, and nothing malformed") {
  const std::string kept = "Zo\xc3\xab \xe6\xbc\xa2 \xf0\x9f\x98\x80\n\tx";
  const std::string replaced = "\xef\xbf\xbd";
  CHECK(plain_text(kept) == kept);
  CHECK(plain_text("") == "");
  for (const std::string& bad :
       {std::string("\x1b"), std::string(1, '\0'), std::string("\x7f"), std::string("\xc2\x85"),
        std::string("\xe2\x80\xa8"), std::string("\xe2\x81\xa6"), std::string("\xff")}) {
    CHECK(plain_text(bad) == replaced);
  }
  CHECK(plain_text("\xc0\xaf") == replaced + replaced);                     // overlong
  CHECK(plain_text("\xed\xa0\x80") == replaced + replaced + replaced);      // a surrogate
  CHECK(plain_text("\xf4\x90\x80\x80").find('\xf4') == std::string::npos);  // beyond U+10FFFF
  CHECK(plain_text("\xe6\xbc") == replaced + replaced);                     // cut
}

TEST_CASE("colour is for terminals only, and wraps the kit's own words only") {
  View view;
  CHECK(terminal_view(example(), view).find('\x1b') == std::string::npos);
  view.colour = true;
  CHECK_THAT(terminal_view(example(), view), Catch::Contains("\x1b[31mWRONG\x1b[0m"));
}

TEST_CASE("a stage has the gravest status of its cases and its speed") {
  using S = Status;
  CHECK(combine(stage_of({S::pass, S::pass}, {S::pass})) == S::pass);
  CHECK(combine(stage_of({S::pass}, {S::slow, S::pass})) == S::slow);
  CHECK(combine(stage_of({S::pass}, {S::pending})) == S::pass);
  CHECK(combine(stage_of({S::not_started, S::not_started})) == S::not_started);
  CHECK(combine(stage_of({S::not_started, S::skipped})) == S::not_started);
  CHECK(combine(stage_of({S::not_started, S::wrong})) == S::wrong);
  CHECK(combine(stage_of({S::wrong, S::crashed})) == S::crashed);
  CHECK(combine(stage_of({S::crashed, S::timed_out})) == S::timed_out);
  CHECK(combine(stage_of({S::timed_out, S::limit})) == S::limit);
  CHECK(combine(stage_of({S::limit, S::policy})) == S::policy);
  CHECK(combine(stage_of({S::policy, S::grader_error})) == S::grader_error);
  CHECK(combine(stage_of({S::pass, S::skipped})) == S::skipped);
  CHECK(combine(stage_of({S::skipped, S::pending})) == S::pending);
  // What fails on the timed shape alone counts as well.
  for (S status : {S::wrong, S::crashed, S::timed_out, S::limit, S::policy, S::grader_error}) {
    CHECK(combine(stage_of({S::pass}, {S::slow, status})) == status);
  }
  CHECK(combine(stage_of({S::wrong}, {S::grader_error})) == S::grader_error);
  CHECK(combine(stage_of({S::wrong}, {S::skipped})) == S::wrong);
}

TEST_CASE("a stage is unfinished, not not started, where some of its cases pass") {
  using S = Status;
  CHECK(combine(stage_of({S::pass, S::not_started})) == S::unfinished);
  CHECK(combine(stage_of({S::not_started, S::pass, S::skipped}, {S::skipped})) == S::unfinished);
  CHECK(combine(stage_of({S::pass, S::not_started, S::wrong})) == S::wrong);
  StageResult stage = stage_of({S::pass, S::not_started});
  stage.status = combine(stage);
  Result result;
  result.stages = {stage};
  CHECK(terminal_view(result, {}).starts_with("\nUNFINISHED  "));
  CHECK(result.exit_code() == 1);
}

TEST_CASE("the verbose view lists the cases that were not judged, with the reason") {
  Result result = example();
  StageResult& stage = result.stages[0];
  CaseResult skipped = case_of("three", Status::skipped, "Skipped: one did not pass.");
  CaseResult hidden = case_of("four", Status::skipped, "A large image.");
  hidden.hidden = true;
  stage.cases.push_back(skipped);
  stage.cases.push_back(hidden);
  stage.cases.push_back(case_of("five", Status::not_started, "Task 01.1 is not started."));
  stage.cases.push_back(case_of("six", Status::pending, "Interrupted before it was judged."));
  View view;
  view.all_cases = true;
  CHECK_THAT(terminal_view(result, view),
             Catch::Contains("\n  PASS         one\n"
                             "  SKIPPED      three: Skipped: one did not pass.\n"
                             "  SKIPPED      four (hidden): A large image.\n"
                             "  NOT_STARTED  five: Task 01.1 is not started.\n"
                             "  PENDING      six: Interrupted before it was judged.\n"));
  view.all_cases = false;
  CHECK_THAT(terminal_view(result, view), !Catch::Contains("three"));
}

TEST_CASE("the exit code is 0 for all passed, 1 for short of that, 3 for a fault of the grader") {
  Result result = example();
  CHECK(result.exit_code() == 1);
  result.stages[0].status = Status::pass;
  CHECK(result.exit_code() == 0);
  result.stages.push_back(result.stages[0]);
  result.stages[1].status = Status::grader_error;
  CHECK(result.exit_code() == 3);
  result.stages.pop_back();
  result.interrupted = true;
  CHECK(result.exit_code() == 1);
  result.interrupted = false;
  result.error = "The archive is empty.";
  CHECK(result.exit_code() == 1);
  CHECK(Result{}.exit_code() == 1);
}

TEST_CASE("every status has its name") {
  CHECK(name_of(Status::pass) == std::string("PASS"));
  CHECK(name_of(Status::not_started) == std::string("NOT_STARTED"));
  CHECK(name_of(Status::pending) == std::string("PENDING"));
  CHECK(name_of(Status::grader_error) == std::string("GRADER_ERROR"));
}

TEST_CASE("points are rounded to two decimals, and sums before they are rounded") {
  Result result = example();
  result.stages.assign(3, result.stages[0]);
  for (StageResult& stage : result.stages) stage.points = 10.0 / 3;
  const json parsed = json::parse(to_json(result));
  CHECK(parsed["points"] == 10.0);
  CHECK(parsed["stages"][0]["points"] == 3.33);
  CHECK_THAT(terminal_view(result, {}), Catch::Contains("3.33 of 14 points"));
  CHECK_THAT(terminal_view(result, {}), Catch::Contains("Total: 10 of 42 points."));
}

}  // namespace convkit

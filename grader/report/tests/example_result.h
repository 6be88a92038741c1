// SPDX-License-Identifier: MIT
// A result of one stage with one case that passes, one that fails, and a speed.
#pragma once

#include <string>

#include "report/result.h"

namespace convkit {

inline CaseResult case_of(const std::string& name, Status status, const std::string& message = "") {
  CaseResult result;
  result.name = name;
  result.group = "conv";
  result.task = "01.1";
  result.op = "conv2d_forward";
  result.status = status;
  result.message = message;
  return result;
}

inline SpeedResult speed_of(Status status) {
  SpeedResult result;
  result.name = "small";
  result.title = "Small shape";
  result.status = status;
  result.message = "2.5x the baseline's speed.";
  result.points = 1.005;
  result.max_points = 4;
  result.pairs = 7;
  result.ratio = 2.51234567;
  result.ratio_low = 2.4;
  result.ratio_high = 2.6;
  result.submission_ms = 1.5;
  result.baseline_ms = 3.75;
  result.gflops = 12;
  return result;
}

inline Result example() {
  StageResult stage;
  stage.id = "01_test";
  stage.title = "Test";
  stage.status = Status::wrong;
  stage.message = "1 of 2 cases pass: 1 wrong.";
  stage.notes = {"The submission defines main(); the grader does not call it."};
  stage.points = 6;
  stage.max_points = 14;
  stage.groups = {{"conv", "Convolution", 1, 2, 5, 10}};
  stage.cases = {case_of("one", Status::pass), case_of("two", Status::wrong, "2 of 9 differ.")};
  stage.cases[1].hint = "Look at the border.";
  stage.cases[1].map = "#.\n.#";
  stage.cases[1].mistake = "off_by_one_border";
  stage.cases[1].printed = "debug\n";
  stage.speed = {speed_of(Status::slow)};
  Result result;
  result.kit_version = "0.1.0";
  result.started = "2026-01-02T03:04:05Z";
  result.device = "cpu";
  result.sandbox = "resource limits";
  result.submission_name = "ada.zip";
  result.submission_sha256 = "ab";
  result.nonce = "cd";
  result.depends = {{"device", "cpu"}};
  result.fingerprints = {{"limit case_s of 01_test", "10"}};
  result.choices = {{"hidden", true}};
  stage.references = {{"visible", 2, "", "cd"}, {"hidden", 1, "12ab", "ef"}};
  result.stages = {stage};
  return result;
}

}  // namespace convkit

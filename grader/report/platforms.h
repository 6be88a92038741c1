// SPDX-License-Identifier: MIT
// A result in the forms that the platforms of courses read. docs/platforms.md says what each does
// with it; tests/platforms has a schema of each. Pending points count as 0 there, and are named.
#pragma once

#include <string>
#include <vector>

#include "report/result.h"

namespace convkit {

struct PlatformOptions {
  // When students see what hidden cases say, as Gradescope calls it: visible, after_due_date or
  // after_published. They are tests of their own where that is later than the visible cases.
  std::string hidden_cases = "visible";
  double points = 0;  // what all points together are called there; 0: as the stages say

  bool operator==(const PlatformOptions&) const = default;
};

struct Platform {
  const char* name;  // as `grade --format` takes it
  std::string (*view)(const Result& result, const PlatformOptions& options);
};

// gradescope, prairielearn, autolab, github and junit.
const std::vector<Platform>& platforms();

// results.json of Gradescope's autograders: one test for each group of cases and each timed shape.
// Only this one reads the options.
std::string to_gradescope(const Result& result, const PlatformOptions& options = {});

// results.json of PrairieLearn's external graders: the same tests; the score is a share of all
// points. Not gradable, so that no attempt is lost, where the submission cannot be read or the kit
// has failed. At most 1 MB, which is what PrairieLearn takes.
std::string to_prairielearn(const Result& result, const PlatformOptions& options = {});

// What Autolab reads at the end of an autograder's output: a line for its page, then a line with
// the points of each stage, whose ids are the names of the problems. A stage in which the kit has
// failed has none, so that its problem stays ungraded.
std::string to_autolab(const Result& result, const PlatformOptions& options = {});

// What the reporter of GitHub Classroom (autograding-grading-reporter) reads, base64-encoded, from
// each of its runners: the tests of Gradescope's form, with their points. So small that it fits
// into one variable of the environment.
std::string to_github(const Result& result, const PlatformOptions& options = {});

// JUnit's XML, which most systems for continuous integration read: a suite for each stage, a test
// for each case; what was not built, or could not be read, is a test that fails.
std::string to_junit(const Result& result, const PlatformOptions& options = {});

}  // namespace convkit

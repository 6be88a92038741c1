// SPDX-License-Identifier: MIT
// A result in the forms that the platforms of courses read. Pending points count as 0 there.
#pragma once

#include <string>
#include <vector>

#include "report/result.h"

namespace convkit {

struct Platform {
  const char* name;  // as `grade --format` takes it
  std::string (*view)(const Result& result);
};

// gradescope, prairielearn, autolab and junit.
const std::vector<Platform>& platforms();

// results.json of Gradescope's autograders: one test for each group of cases and each timed shape.
std::string to_gradescope(const Result& result);

// results.json of PrairieLearn's external graders: the same tests; the score is a share of all
// points.
std::string to_prairielearn(const Result& result);

// What Autolab reads at the end of an autograder's output: a line for its page, then a line with
// the points of each stage, whose ids are the names of the problems.
std::string to_autolab(const Result& result);

// JUnit's XML, which most systems for continuous integration read: a suite for each stage, a test
// for each case.
std::string to_junit(const Result& result);

}  // namespace convkit

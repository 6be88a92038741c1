// SPDX-License-Identifier: MIT
#include "grade/time_budget.h"
#include "catch.h"

namespace convkit {
namespace {

using std::chrono::seconds;

TEST_CASE("a case is charged what was computed, and no more than passed") {
  TimeBudget budget(seconds(10));
  budget.charge(3, 0.5);
  CHECK(budget.charged_s() == 0.5);
  budget.charge(1, 8);  // on several processors
  CHECK(budget.charged_s() == 1.5);
}

TEST_CASE("cases behind a stage that computed for too long are skipped") {
  TimeBudget budget(seconds(10));
  budget.charge(10, 10);
  CHECK_FALSE(budget.cut());
  budget.charge(1, 1);
  REQUIRE(budget.cut());
  CHECK(budget.cut()->status == Status::skipped);
  CHECK(budget.cut()->why == LeftOut::time_used_up);
  CHECK(budget.cut()->message == "Skipped: earlier cases used up the stage's 10 s.");
}

TEST_CASE("where a stage takes long on a busy machine, the rest is pending") {
  TimeBudget budget(seconds(10));
  budget.charge(50, 2);
  CHECK_FALSE(budget.cut());
  budget.charge(1, 0);
  REQUIRE(budget.cut());
  CHECK(budget.cut()->status == Status::pending);
  CHECK(budget.cut()->why == LeftOut::machine_busy);
  CHECK(budget.cut()->message ==
        "Pending: the stage's cases took more than 50 s, but the submission used only 2 s of the "
        "10 s that it may use. The machine was busy. Grade it again.");
}

TEST_CASE("a grading that goes on has used what the earlier run had used") {
  TimeBudget budget(seconds(10));
  budget.go_on_from(3, 1);
  budget.go_on_from(30, 11);
  CHECK(budget.charged_s() == 11);
  REQUIRE(budget.cut());
  CHECK(budget.cut()->status == Status::skipped);
}

}  // namespace
}  // namespace convkit

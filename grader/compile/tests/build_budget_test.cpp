// SPDX-License-Identifier: MIT
#include "compile/build_budget.h"

#include "catch.h"

namespace convkit {
namespace {

TEST_CASE("a source may take what the others have left, and no more than it may alone") {
  StageLimits limits;
  limits.build = std::chrono::seconds(60);
  limits.all_builds = std::chrono::seconds(100);
  BuildBudget budget(limits);
  budget.spend(30.9);
  budget.spend(9.0);
  CHECK(budget.left_for_one().count() == 60);
  CHECK_FALSE(budget.is_cut(budget.left_for_one()));
  budget.spend(1.2);
  CHECK(budget.left_for_one().count() == 59);
  CHECK(budget.is_cut(budget.left_for_one()));
  budget.spend(100);
  CHECK(budget.left_for_one().count() <= 0);
}

}  // namespace
}  // namespace convkit

// SPDX-License-Identifier: MIT
// Threads that return while others of their block go on in a loop with barriers.
#include "cpu_device/check/early_returns.h"

#include "catch.h"
#include "simt/warp_op.h"

namespace convkit::simt::check {
namespace {

constexpr BarrierSite kLoad{"tile.cu", 40}, kCompute{"tile.cu", 50};

struct Scene {
  Scene() {
    forget_early_returns();
    forget_passed_barriers();
  }
  std::string sentence() const {
    const auto report = report_of_early_returns();
    return report ? report->sentence : "";
  }
};

}  // namespace

TEST_CASE("threads that left a loop are seen at a barrier that they had passed") {
  Scene scene;
  barrier_opens_for({64, 0}, kLoad);
  barrier_opens_for({64, 16}, kCompute);
  CHECK(scene.sentence().empty());
  barrier_opens_for({64, 16}, kLoad);
  CHECK(scene.sentence() ==
        "threads left a loop: the barrier at tile.cu:40 is passed by 48 of the block's 64 threads, "
        "though 64 had passed it before: the others have returned since.");
}

TEST_CASE("threads that return before all barriers, or after the last round, are no such thing") {
  Scene scene;
  for (int round = 0; round < 3; ++round) {
    barrier_opens_for({64, 7}, kLoad);
    barrier_opens_for({64, 7}, kCompute);
  }
  barrier_opens_for({64, 40}, {"tile.cu", 90});
  CHECK(scene.sentence().empty());
}

TEST_CASE("what an earlier block has passed says nothing of the next one") {
  Scene scene;
  barrier_opens_for({64, 0}, kLoad);
  forget_passed_barriers();
  barrier_opens_for({64, 30}, kLoad);
  CHECK(scene.sentence().empty());
}

TEST_CASE("the first barrier of a case is told, and a new case begins with none") {
  Scene scene;
  barrier_opens_for({64, 0}, kLoad);
  barrier_opens_for({64, 0}, kCompute);
  barrier_opens_for({64, 8}, kCompute);
  barrier_opens_for({64, 9}, kLoad);
  CHECK_THAT(scene.sentence(), Catch::Contains("tile.cu:50 is passed by 56 of"));
  forget_early_returns();
  CHECK(scene.sentence().empty());
}

TEST_CASE("the first shuffle from an absent lane is told until a case begins") {
  Scene scene;
  ConvkitWarpOp op{};
  op.kind = kShuffleDown;
  op.file = "sum.cu";
  op.line = 7;
  note_absent_lane(op, 3, 19, Absence::returned);
  note_absent_lane(op, 4, 20, Absence::not_in_mask);
  CHECK(report_of_absent_lane()->sentence ==
        "lane 3 reads the value of lane 19 by __shfl_down_sync() at sum.cu:7, and that lane has "
        "returned: what it gets is undefined.");
  forget_early_returns();
  note_absent_lane(op, 3, 19, Absence::never_there);
  CHECK_THAT(report_of_absent_lane()->sentence,
             Catch::Contains("and the block has no such lane in this warp"));
  forget_early_returns();
  note_absent_lane(op, 4, 20, Absence::not_in_mask);
  CHECK_THAT(report_of_absent_lane()->sentence,
             Catch::Contains("and the mask does not name that lane"));
}

}  // namespace convkit::simt::check

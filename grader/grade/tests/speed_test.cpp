// SPDX-License-Identifier: MIT
#include "catch.h"
#include "grade/speed/speed_runner.h"
#include "kit_scene.h"

namespace convkit {
namespace {

using test::KitScene;

Contestant contestant(const KitScene& scene, const std::string& op) {
  return {op, scene.kit.session_options(scene.stage(), CONVKIT_TEST_SUBMISSION), op, {}};
}

// y = 2 x with as many elements as it takes to see 640 words of signs.
SpeedCase speed_case() {
  constexpr int64_t kElements = 640 * 64;
  SpeedCase speed = {};
  speed.name = "many";
  speed.op = "doubles";
  speed.params = {{"n", {kElements, true}}};
  speed.inputs = {{"x", {kElements}}};
  speed.output = {"y", {kElements}};
  return speed;
}

TEST_CASE("the signs of a timing's later rounds do not follow from those of earlier ones") {
  const KitScene scene;
  TimingPlan plan;
  plan.max_rounds = plan.min_rounds = 2;
  const auto timings =
      time_in_turn(scene.stage(), speed_case(),
                   {contestant(scene, "doubles"), contestant(scene, "predicts_the_signs")}, plan);
  REQUIRE(timings.size() == 2);
  const Timing& timing = timings.back();
  INFO(timing.failure.text);
  CHECK(timing.outcome == Answer::Kind::ok);
  CHECK(timing.seconds.size() == 2);
}

}  // namespace
}  // namespace convkit

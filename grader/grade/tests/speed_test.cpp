// SPDX-License-Identifier: MIT
#include "catch.h"
#include "grade/speed/memory_floor.h"
#include "grade/speed/speed_runner.h"
#include "grade/speed/stage_speed.h"
#include "grade/speed/timing_memory.h"
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

// Of two rounds that count, in turn with a function that is right.
Timing timing_of(const std::string& op) {
  const KitScene scene;
  TimingPlan plan;
  plan.max_rounds = plan.min_rounds = 2;
  const auto timings = time_in_turn(scene.stage(), speed_case(),
                                    {contestant(scene, "doubles"), contestant(scene, op)}, plan);
  REQUIRE(timings.size() == 2);
  return timings.back();
}

TEST_CASE("the signs of a timing's later rounds do not follow from those of earlier ones") {
  const Timing timing = timing_of("predicts_the_signs");
  INFO(timing.failure.text);
  CHECK(timing.outcome == Answer::Kind::ok);
  CHECK(timing.seconds.size() == 2);
}

TEST_CASE("a later round has other values, not only other signs") {
  const Timing timing = timing_of("remembers_magnitudes");
  CHECK(timing.outcome == Answer::Kind::ok);
  CHECK(timing.wrong);
}

TEST_CASE("a timing ends as soon as what was measured is enough") {
  const KitScene scene;
  TimingPlan plan;
  plan.min_rounds = 3;
  size_t asked = 0;
  plan.enough = [&](const std::vector<Timing>& so_far) {
    CHECK(so_far.size() == 2);
    CHECK(so_far[0].seconds.size() == 3 + asked);
    return ++asked == 2;
  };
  const auto timings =
      time_in_turn(scene.stage(), speed_case(),
                   {contestant(scene, "doubles"), contestant(scene, "doubles")}, plan);
  REQUIRE(timings.size() == 2);
  CHECK(asked == 2);
  CHECK(timings[1].seconds.size() == 4);
  for (double seconds : timings[1].seconds) CHECK(seconds > 0);
}

TEST_CASE("the favourable end of a ratio counts only where its interval is narrow") {
  CHECK(ratio_that_counts({3.97, 4.03}, 4.0) == 4.03);
  CHECK(ratio_that_counts({3.9, 4.1}, 4.0) == 4.0);
}

TEST_CASE("a ratio is measured until it is known in points and by itself") {
  SpeedCase speed;
  speed.points = 5;
  speed.none = 1;
  speed.full = 16;
  CHECK(is_known_well_enough(speed, {0.995, 1.005}, 1.0));
  CHECK_FALSE(is_known_well_enough(speed, {0.97, 1.03}, 1.0));  // worth 0.05 points
  speed.full = 1.2;
  CHECK_FALSE(is_known_well_enough(speed, {1.09, 1.11}, 1.1));  // narrow, but worth half a point
  CHECK(is_known_well_enough(speed, {1.3, 2.0}, 1.6));          // all points in any case
}

TEST_CASE("to read and write the tensors of a shape takes time") {
  CHECK(memory_floor_s(speed_case()) > 0);
}

// Timing with tensors in the memory of another process, here of the host instead of a GPU.
struct DeviceScene : KitScene {
  DeviceScene() {
    kit.stages.front().id = "timing_test";
    kit.stages.front().device = "gpu";
    speed.name = "many";
    speed.op = "doubles";
    speed.terms = 1;
    speed.params = {{"n", {kElements, true}}};
    speed.inputs = {{"x", {kElements}}};
    speed.output = {"y", {kElements}};
  }

  // Two rounds that count.
  Timing timing_of(const std::string& op) const {
    TimingPlan plan;
    plan.max_rounds = plan.min_rounds = 2;
    const auto timings =
        time_in_turn(stage(), speed, {contestant("doubles"), contestant(op)}, plan);
    REQUIRE(timings.size() == 2);
    CHECK(timings.front().seconds.size() == 2);
    return timings.back();
  }

  Contestant contestant(const std::string& op) const {
    Contestant one{op, kit.session_options(stage(), CONVKIT_TEST_TIMED), op, {}};
    one.options.memory_owner = CONVKIT_TEST_MEMORY;
    return one;
  }

  static constexpr int64_t kElements = 100000;
  SpeedCase speed = {};
};

TEST_CASE("a function that does its work is timed in device memory") {
  const DeviceScene scene;
  const Timing timing = scene.timing_of("doubles");
  INFO(timing.failure.text << timing.message);
  CHECK(timing.outcome == Answer::Kind::ok);
  CHECK_FALSE(timing.wrong);
  CHECK(timing.seconds.size() == 2);
  for (const double seconds : timing.seconds) CHECK(seconds > 0);
}

TEST_CASE("who looks for new inputs or for the sentinel has to do the work, too") {
  for (const char* op : {"works_ahead", "trusts_the_sentinel"}) {
    INFO(op);
    const DeviceScene scene;
    CHECK_FALSE(scene.timing_of(op).wrong);
  }
}

TEST_CASE("in device memory no call's work can be saved") {
  for (const char* op :
       {"remembers_its_answer", "skips_quick_calls", "writes_later", "leaves_out_one_in_fifty"}) {
    INFO(op);
    const DeviceScene scene;
    const Timing timing = scene.timing_of(op);
    CHECK(timing.outcome == Answer::Kind::ok);
    CHECK(timing.wrong);
    CHECK_FALSE(timing.message.empty());
  }
}

TEST_CASE("a slow first call does not decide how many calls a request makes") {
  const DeviceScene scene;
  CHECK(scene.timing_of("is_slow_at_first").outcome == Answer::Kind::ended);
}

TEST_CASE("a crash is told as such") {
  const DeviceScene scene;
  CHECK(scene.timing_of("crashes").outcome == Answer::Kind::ended);
}

TEST_CASE("a process that cannot give memory is a fault of the kit") {
  const DeviceScene scene;
  CHECK_THROWS_AS(TimingMemory("/bin/true", scene.speed, 1, 1, {{1.0f}}), KitError);
}

}  // namespace

}  // namespace convkit

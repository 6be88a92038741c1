// SPDX-License-Identifier: MIT
// Timing with tensors in the memory of another process, here of the host instead of a GPU.
#include "catch.h"
#include "grade/speed/speed_runner.h"
#include "grade/speed/timing_memory.h"
#include "kit_scene.h"

namespace convkit {
namespace {

using test::KitScene;

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

// SPDX-License-Identifier: MIT
// Operations that stage.toml wants to give the same bits on every run.
#include "grade/judge_output.h"
#include "catch.h"
#include "kit_scene.h"

namespace convkit {
namespace {

using test::KitScene;

CaseResult run(KitScene& scene, const std::string& op, bool same_bits) {
  Stage& stage = scene.kit.stages.front();
  if (same_bits) stage.same_bits = {op};
  CaseSpec spec = scene.spec(op);
  spec.outputs.front().terms = 1000;  // wide enough for what changes_every_time changes
  CaseRunner runner(stage, scene.kit.session_options(stage, CONVKIT_TEST_SUBMISSION));
  return scene.run(runner, spec);
}

}  // namespace

TEST_CASE("an op that gives other bits when it is run again is not deterministic") {
  KitScene scene;
  const CaseResult result = run(scene, "changes_every_time", true);
  CHECK(result.status == Status::wrong);
  CHECK(result.mistake == "not_deterministic");
  CHECK_THAT(result.message,
             Catch::StartsWith("changes_every_time was run again on the same inputs, and 5 of 5 "
                               "elements of `y` have other bits.\nFirst: y[0] was "));
  CHECK_THAT(result.message, Catch::Contains("(a + b) + c and a + (b + c) differ"));
  CHECK_THAT(result.hint, Catch::Contains("atomicAdd"));
}

TEST_CASE("an op that need not be deterministic may give other bits on every run") {
  KitScene scene;
  CHECK(run(scene, "changes_every_time", false).status == Status::pass);
}

TEST_CASE("an op that gives the same bits again passes") {
  KitScene scene;
  CHECK(run(scene, "doubles", true).status == Status::pass);
}

TEST_CASE("a wrong result is told before it is run again") {
  KitScene scene;
  const CaseResult result = run(scene, "writes_nothing", true);
  CHECK(result.status == Status::wrong);
  CHECK(result.mistake != "not_deterministic");
}

TEST_CASE("bits are compared, not values") {
  const TensorSpec tensor{"dw", DType::float32, {2, 3}};
  const std::vector<float> zeros(6, 0.0f);
  std::vector<float> other = zeros;
  other[4] = -0.0f;
  const auto judge = [&](const std::vector<float>& again) {
    CaseResult result;
    result.status = Status::pass;
    const bool same = judge_same_bits("wgrad", tensor, std::as_bytes(std::span(zeros)),
                                      std::as_bytes(std::span(again)), result);
    CHECK(same == (result.status == Status::pass));
    return result.message;
  };
  CHECK(judge(zeros).empty());
  CHECK_THAT(judge(other), Catch::Contains("1 of 6 elements of `dw`"));
  CHECK_THAT(judge(other), Catch::Contains("dw[1,1] was 0 and then -0."));
}

}  // namespace convkit

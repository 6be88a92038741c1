// SPDX-License-Identifier: MIT
#include <catch.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "convkit/temporary_folder.h"
#include "profile/pictures.h"
#include "profile/profile.h"
#include "profile/words.h"

namespace convkit {
namespace {

using Catch::Contains;
using Element = std::optional<int64_t>;

ProfiledStep step(const std::function<Element(int64_t lane)>& element,
                  const std::vector<int64_t>& dims = {}) {
  ProfiledStep result{"turn.cu", 2, "global_load", "x", dims, 4, 1, {}};
  for (int64_t lane = 0; lane < 32; ++lane) result.elements.push_back(element(lane));
  return result;
}

TEST_CASE("elements are told in runs of lanes") {
  CHECK(elements_words(step([](int64_t lane) { return lane + 8; })) == "x[8..39] by all 32 lanes");
  CHECK(elements_words(step([](int64_t) { return 3; })) == "x[3] by all 32 lanes");
  CHECK(elements_words(step([](int64_t lane) { return 31 - lane; })) ==
        "x[31] to x[0], -1 apart by all 32 lanes");
  CHECK(elements_words(step([](int64_t lane) { return lane == 5 ? Element(7) : Element(); })) ==
        "x[7] by lane 5");
  CHECK(elements_words(step([](int64_t lane) { return lane < 16 ? lane : 84 + lane; })) ==
        "x[0..15] by lanes 0-15; x[100..115] by lanes 16-31");
  CHECK(
      elements_words(step([](int64_t lane) { return lane * lane; })) ==
      "x[0..1] by lanes 0-1; x[4] to x[9], 5 apart by lanes 2-3; x[16] to x[25], 9 apart by lanes "
      "4-5; 13 more");
}

TEST_CASE("elements of tensors have coordinates") {
  const std::vector<int64_t> dims{1, 2, 4, 40};
  CHECK(elements_words(step([](int64_t lane) { return 160 + lane; }, dims)) ==
        "x[0,1,0,0..31] by all 32 lanes");
  CHECK(elements_words(step([](int64_t lane) { return 20 + lane; }, dims)) ==
        "x[0,0,0,20] to x[0,0,1,11] by all 32 lanes");
  CHECK(elements_words(step([](int64_t lane) { return 2 * lane; }, {64})) ==
        "x[0] to x[62], 2 apart by all 32 lanes");
}

TEST_CASE("the cost of a step has its unit") {
  ProfiledStep one = step([](int64_t) { return 0; });
  CHECK(cost_words(one) == "1 sector");
  one.cost = 8;
  one.kind = "shared_store";
  CHECK(cost_words(one) == "8 wavefronts");
  one.kind = "global_atomic";
  CHECK(cost_words(one) == "8 lanes on one address");
}

const char* const kRun = R"({
  "format": "convkit-profile",
  "version": 1,
  "kernels": [
    {"name": "turn", "launches": 1, "blocks": 4, "threads_per_block": 40, "not_counted": 0,
     "dynamic_shared_bytes": 0, "limiter": "none", "sentence": "", "lines": [], "barriers": [],
     "trace": {"block": 3, "warp": 1, "lanes": 8, "left_out": 2, "steps": [
       {"file": "turn.cu", "line": 2, "kind": "global_load", "place": "x", "bytes": 4, "cost": 1,
        "dims": [], "elements": [0, 1, -1]},
       {"file": "turn.cu", "line": 3, "kind": "barrier"}]}}
  ]
}
)";

TEST_CASE("a trace is read, written as it was, and stands under the source") {
  const TemporaryFolder folder("trace");
  std::ofstream(folder.path() / "turn.cu") << "__global__ void turn() {\n  x[i];\n  wait();\n}\n";
  const ProfiledRun run = read_profile(kRun, folder.path());
  const auto json = json_of("03_turn", {{"op", "case", "", "", run.kernels}});
  const auto& steps = json["cases"][0]["kernels"][0]["trace"]["steps"];
  CHECK(steps[0]["elements"] == nlohmann::ordered_json{0, 1, -1});
  CHECK(steps[1]["kind"] == "barrier");
  CHECK(trace_text(run.kernels[0]) ==
        "turn, block 3, warp 1 (threads 32 to 39)\n"
        "  turn.cu:2 |   x[i];\n"
        "      1  global load    x[0..1] by lanes 0-1: 1 sector\n"
        "  turn.cu:3 |   wait();\n"
        "      2  barrier: waits for all warps of the block\n"
        "  Further accesses that are not shown: 2.\n");
}

TEST_CASE("the picture of a trace has a cell for each lane that takes part") {
  ProfiledKernel kernel = read_profile(kRun).kernels[0];
  const std::string picture = draw_trace(kernel);
  CHECK_THAT(picture, Contains("turn, block 3, warp 1 (threads 32 to 39)"));
  CHECK_THAT(picture, Contains("global load x") && Contains(">barrier<") && Contains(">1 sector<"));
  CHECK(picture.find("steps.") == std::string::npos);
  kernel.trace->steps.resize(200, kernel.trace->steps[0]);
  CHECK_THAT(draw_trace(kernel), Contains("The first 120 of 200 steps."));
}

}  // namespace
}  // namespace convkit

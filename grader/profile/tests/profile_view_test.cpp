// SPDX-License-Identifier: MIT
#include <catch.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "json_text.h"
#include "profile/page.h"
#include "profile/profile.h"
#include "profile/terminal_view.h"

namespace convkit {
namespace {

using Catch::Contains;

const char* const kOutput = R"(x[0] is {1}
{
  "format": "convkit-profile",
  "version": 1,
  "kernels": [
    {"name": "turn", "launches": 1, "blocks": 4, "threads_per_block": 1024, "not_counted": 0,
     "dynamic_shared_bytes": 4224,
     "limiter": "stores", "sentence": "What limits this kernel: uncoalesced stores in turn.cu:3.",
     "lines": [
       {"file": "FOLDER/turn.cu", "line": 3, "kind": "global_store", "requests": 128, "lanes": 4096,
        "possible_lanes": 4096, "sectors": 4096, "bytes_used": 16384, "bytes_moved": 131072},
       {"file": "FOLDER/turn.cu", "line": 3, "kind": "shared_load", "requests": 128, "lanes": 4096,
        "possible_lanes": 4096, "wavefronts": 4096, "bank_conflicts": 3968}],
     "barriers": [{"file": "FOLDER/turn.cu", "line": 2, "times": 4}]}
  ]
}
)";

std::string output_in(const std::string& folder) {
  std::string text = kOutput;
  for (size_t at; (at = text.find("FOLDER")) != std::string::npos;) text.replace(at, 6, folder);
  return text;
}

TEST_CASE("the profile behind what a program printed is read, and written as it was") {
  const ProfiledRun run = read_profile(kOutput);
  CHECK(run.printed == "x[0] is {1}\n");
  REQUIRE(run.kernels.size() == 1);
  const ProfiledKernel& kernel = run.kernels[0];
  CHECK(kernel.limiter == "stores");
  REQUIRE(kernel.lines.size() == 2);
  CHECK(kernel.lines[0].sectors == 4096);
  CHECK(kernel.lines[1].bank_conflicts == 3968);
  const auto json =
      json_of("03_turn", {{"turn_op", "small", "", "", run.kernels}})["cases"][0]["kernels"][0];
  CHECK(json["lines"][0]["bytes_moved"] == 131072);
  CHECK_FALSE(json["lines"][1].contains("sectors"));
  CHECK(json["barriers"][0]["times"] == 4);
}

TEST_CASE("a run without a profile, or with a broken one, is an error of the kit") {
  CHECK_THROWS_AS(read_profile("Segmentation fault\n"), KitError);
  CHECK_THROWS_AS(read_profile("{\n  \"format\": \"convkit-profile\",\n"), KitError);
}

TEST_CASE("each source line is shown once, with all that was counted there") {
  const TemporaryFolder folder("profile_view");
  std::ofstream(folder.path() / "turn.cu") << "__global__ void turn() {\n  __syncthreads();\n"
                                              "  out[x] = tile[y];\n}\n";
  const std::string text =
      annotated_source(read_profile(output_in(folder.path().string())).kernels[0]);
  CHECK_THAT(text, Contains("turn: 1 launch, 4 blocks of 1,024 threads\n  turn.cu\n"));
  CHECK_THAT(
      text,
      Contains("      2 |   __syncthreads();\n        ^ barrier        4 times, by a block\n"));
  CHECK_THAT(
      text,
      Contains("      3 |   out[x] = tile[y];\n        ^ global store   128 requests of 32.0 "
               "lanes, 4,096 sectors (32.0 a request), 12 % of the bytes used\n"
               "        ^ shared load    128 requests of 32.0 lanes, 4,096 wavefronts (32.0 a "
               "request), 3,968 bank conflicts\n"));
  CHECK_THAT(text,
             Catch::EndsWith("  What limits this kernel: uncoalesced stores in turn.cu:3.\n"));
  // Found by its last name where the compiler has named it otherwise.
  CHECK_THAT(annotated_source(read_profile(kOutput, folder.path()).kernels[0]),
             Contains("      3 |   out[x] = tile[y];"));
  // Where the source is gone, the numbers are still there.
  CHECK_THAT(annotated_source(read_profile(kOutput).kernels[0]), Contains("      3 | \n"));
}

TEST_CASE("the page shows the share of each line and takes text as text") {
  const TemporaryFolder folder("profile_page");
  std::ofstream(folder.path() / "turn.cu") << "template <int kN>\n__syncthreads();\nout = in;\n";
  ProfiledCase one{"turn<int>", "small", "n 2", "", read_profile(output_in(folder.path())).kernels};
  const std::string page = profile_page("Profile of <03>", {one});
  CHECK_THAT(page, Contains("<title>Profile of &lt;03&gt;</title>"));
  CHECK_THAT(page, Contains("turn&lt;int&gt;, case small"));
  CHECK_THAT(page, Contains("template &lt;int kN&gt;"));
  // All that costs is in line 3.
  CHECK_THAT(page, Contains("style=\"--share:1.000\"><td class=\"number\">3</td><td "
                            "class=\"number\">100 %</td><td class=\"code\">out = in;</td>"));
  CHECK_THAT(page, Contains("<td class=\"number\">2</td><td class=\"number\">0 %</td>"));
  CHECK_THAT(page, !Contains("http"));
  one.problem = "turn is not started.";
  CHECK_THAT(profile_page("x", {one}), Contains("turn is not started."));
}

// As kOutput, with each count of the shared loads times `factor`.
ProfiledCase turned(uint64_t factor) {
  ProfiledCase profile{"turn_op", "small", "n 1", "", read_profile(kOutput).kernels};
  ProfiledLine& load = profile.kernels[0].lines[1];
  load.wavefronts *= factor;
  load.bank_conflicts = factor == 1 ? 0 : load.bank_conflicts;
  return profile;
}

TEST_CASE("a comparison shows what differs, and what limited the kernels") {
  ProfiledCase after = turned(1);
  after.kernels[0].sentence = "No pattern of accesses limits this kernel.";
  CHECK(comparison(turned(3), after) ==
        "turn_op, case small  n 1\n"
        "                                        before           after\n"
        "  shared load   wavefronts              12,288           4,096    0.33x\n"
        "                bank conflicts           3,968               0    0.00x\n"
        "  Before, turn: What limits this kernel: uncoalesced stores in turn.cu:3.\n"
        "  After, turn: No pattern of accesses limits this kernel.\n");
  CHECK(comparison(after, after) ==
        "turn_op, case small  n 1\n"
        "  Every count is the same.\n"
        "  As before, turn: No pattern of accesses limits this kernel.\n");
}

TEST_CASE("kinds of access that came or went are compared, too") {
  ProfiledCase before = turned(1);
  before.kernels[0].lines.pop_back();
  CHECK_THAT(comparison(before, turned(1)),
             Contains("  shared load   requests                     0             128      new\n"
                      "                lanes active               0 %           100 %\n"));
}

TEST_CASE("a case that failed has no counts to compare") {
  ProfiledCase failed = turned(1);
  failed.problem = "turn_op crashed.";
  CHECK(comparison(failed, turned(1)) == "turn_op, case small  n 1\n  Before: turn_op crashed.\n");
}

TEST_CASE("a saved profile is read again, and other files are refused by name") {
  const TemporaryFolder folder("saved_profile");
  const auto file = folder.path() / "before.json";
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write(json_text(json_of("03_turn", {turned(2)})));
  const auto saved = saved_profile(file, "03_turn");
  REQUIRE(saved.size() == 1);
  CHECK(comparison(saved[0], turned(2)).find("Every count is the same.") != std::string::npos);
  CHECK_THROWS_WITH(saved_profile(file, "04_other"),
                    file.string() + " is a profile of 03_turn, not of 04_other.");
  write("{}");
  CHECK_THROWS_WITH(saved_profile(file, "03_turn"),
                    file.string() + " was not written by `profile --json`.");
  CHECK_THROWS_WITH(saved_profile(folder.path() / "nothing.json", "03_turn"),
                    (folder.path() / "nothing.json").string() + " cannot be read.");
}

}  // namespace
}  // namespace convkit

// SPDX-License-Identifier: MIT
#include <catch.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "profile/annotated_source.h"
#include "profile/page.h"
#include "profile/profile.h"

namespace convkit {
namespace {

using Catch::Contains;

const char* const kOutput = R"(x[0] is {1}
{
  "format": "convkit-profile",
  "version": 1,
  "kernels": [
    {"name": "turn", "launches": 1, "blocks": 4, "threads_per_block": 1024, "not_counted": 0,
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
  const auto json = json_of(kernel);
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

}  // namespace
}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "profile/roofline.h"

#include <catch.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "json_text.h"
#include "profile/page.h"
#include "profile/pictures.h"
#include "profile/profile.h"
#include "profile/terminal_view.h"
#include "profile/words.h"

namespace convkit {
namespace {

using Catch::Contains;

const char* const kScale = R"({
  "format": "convkit-profile",
  "version": 1,
  "kernels": [
    {"name": "scale", "launches": 1, "blocks": 4, "threads_per_block": 256, "not_counted": 0,
     "dynamic_shared_bytes": 0, "different_sectors_loaded": 128, "different_sectors_stored": 128,
     "arithmetic_unknown": "",
     "limiter": "none", "sentence": "No pattern of accesses limits this kernel.",
     "lines": [
       {"file": "scale.cu", "line": 3, "kind": "global_load", "requests": 64, "lanes": 2048,
        "possible_lanes": 2048, "sectors": 512, "bytes_used": 8192, "bytes_moved": 16384}],
     "arithmetic": [{"file": "scale.cu", "line": 3, "float_fma": 1024, "special": 12},
                    {"file": "scale.cu", "line": 4, "float_fma": 1024, "double_add": 7}],
     "barriers": []}
  ]
}
)";

// As the command does it.
ProfiledKernel profiled(const std::string& output = kScale) {
  ProfiledKernel kernel = read_profile(output).kernels[0];
  const Card& card = card_named("h200");
  kernel.occupancy = {&card, {256, 0, 0}, 0, 0, occupancy(card, {256, 0, 0})};
  const OperationCounts counts = operations_of(kernel);
  if (flop(counts) != 0) kernel.roofline = roofline(card, counts, traffic_of(kernel));
  return kernel;
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kScale;
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

OperationCounts fused(uint64_t count) {
  OperationCounts counts;
  counts.float_fma = count;
  return counts;
}

}  // namespace

TEST_CASE("a fused multiply-add is two operations, every other one is one") {
  CHECK(flop({1, 10, 100, 1000, 10000, 100000, 1000000}) == 2 + 10 + 100 + 2000 + 1110000);
}

TEST_CASE("below the ridge memory sets the limit, above it arithmetic") {
  const Card& card = card_named("h200");
  // 4800 GB/s and 67000 GFLOP/s: a ridge at 13.96.
  const Roofline low = roofline(card, fused(500), {0, 1000});
  CHECK(low.intensity() == Approx(1));
  CHECK(low.ridge() == Approx(67e3 / 4800));
  CHECK(low.attainable == Approx(4800));
  CHECK(low.memory_bound);
  const Roofline high = roofline(card, fused(50'000), {0, 1000});
  CHECK(high.attainable == Approx(67e3));
  CHECK_FALSE(high.memory_bound);
}

TEST_CASE("additions reach half of the peak, and doubles that of their own units") {
  const Card& h200 = card_named("h200");
  OperationCounts additions;
  additions.float_add = 1000;
  CHECK(roofline(h200, additions, {}).ceiling == Approx(67e3 / 2));
  OperationCounts doubles;
  doubles.double_fma = 1000;
  CHECK(roofline(h200, doubles, {}).peak == Approx(67e3 / 2));
  CHECK(roofline(h200, doubles, {}).attainable == Approx(67e3 / 2));
  CHECK(roofline(card_named("rtx4090"), doubles, {}).peak == Approx(82.6e3 / 64));
  // As many of both: the doubles take longer, and the floats come at the same time.
  OperationCounts both = fused(1000);
  both.double_fma = 1000;
  CHECK(roofline(h200, both, {}).ceiling == Approx(67e3));
}

TEST_CASE("a kernel that moves nothing is bound by its arithmetic") {
  const Roofline roof = roofline(card_named("t4"), fused(10), {});
  CHECK(std::isinf(roof.intensity()));
  CHECK_FALSE(roof.memory_bound);
  CHECK(draw_roofline("k", roof).empty());
}

TEST_CASE("arithmetic and sectors are read from a profile, and written as they were") {
  const ProfiledKernel kernel = profiled();
  const OperationCounts sum = operations_of(kernel);
  CHECK(sum == OperationCounts{2048, 0, 0, 0, 0, 7, 12});
  CHECK(traffic_of(kernel).l1_bytes == 512 * 32);
  CHECK(traffic_of(kernel).least_bytes == 256 * 32);
  const auto json =
      json_of("03_x", {{"scale", "small", "", "", {kernel}}})["cases"][0]["kernels"][0];
  CHECK(json["arithmetic"][0]["special"] == 12);
  CHECK_FALSE(json["arithmetic"][0].contains("float_mul"));
  CHECK(json["different_sectors_stored"] == 128);
  CHECK(json["roofline"]["card"] == "h200");
  CHECK(json["roofline"]["flop"] == 4096 + 19);
  CHECK(json["roofline"]["bound"] == "memory");
}

TEST_CASE("arithmetic stands under its source line, and the roofline is told in words") {
  const std::string text = annotated_source(profiled());
  CHECK_THAT(text, Contains("        ^ arithmetic     1,024 float fma, 12 special\n"));
  CHECK_THAT(text, Contains("        ^ arithmetic     1,024 float fma, 7 double add\n"));
  CHECK_THAT(text, Contains("  4,115 FLOP: 0.251 for each byte that moves in L1, 0.502 for each "
                            "that must move from or to memory at least (every sector once, an "
                            "estimate). On an H200 at most 2,411 of 67,000 GFLOP/s (estimate): "
                            "memory-bound, as its ridge is at 13.9.\n"));
}

TEST_CASE("arithmetic that is not known, and a kernel without any, are said in one sentence") {
  const std::string unknown =
      changed("\"arithmetic_unknown\": \"\"", "\"arithmetic_unknown\": \"objdump is not here.\"");
  CHECK(roofline_words(profiled(unknown)) == "Its arithmetic is not known: objdump is not here.");
  ProfiledKernel copy = profiled();
  copy.arithmetic.clear();
  copy.roofline.reset();
  CHECK(roofline_words(copy) == "It executes no floating-point operations.");
  copy.occupancy.reset();
  CHECK(roofline_words(copy).empty());
}

TEST_CASE("the page has the arithmetic and a picture of the roofline") {
  ProfiledKernel kernel = profiled();
  kernel.name = "scale<1>";
  const std::string page = profile_page("Profile", {{"scale", "small", "n 2", "", {kernel}}});
  CHECK_THAT(page, Contains("1,024 float fma, 12 special"));
  CHECK_THAT(page, Contains("memory-bound, as its ridge is at 13.9."));
  CHECK_THAT(page, Contains("<title>The roofline of an H200</title>"));
  CHECK_THAT(page, Contains("scale&lt;1&gt; on an H200"));
  CHECK_THAT(page, Contains(">ridge at 14.0</text>"));
  CHECK_THAT(page, !Contains("src="));
}

TEST_CASE("a kernel is drawn where it can be at best, and where it would be by its L1 traffic") {
  const std::string picture = draw_roofline("scale", *profiled().roofline);
  CHECK_THAT(picture, Contains(">0.502 at most: 2411 GFLOP/s</text>"));
  CHECK_THAT(picture, Contains(">0.25 in L1</text>"));
  CHECK_THAT(picture, Contains(">67000 GFLOP/s</text>"));
  CHECK_THAT(picture, !Contains("nan"));
  CHECK_THAT(picture, !Contains("inf"));
}

TEST_CASE("a comparison tells arithmetic and the bytes that must move") {
  const ProfiledCase before{"scale", "small", "n 1", "", {profiled()}};
  ProfiledCase after = before;
  after.kernels[0].arithmetic.pop_back();
  after.kernels[0].different_sectors_stored = 0;
  const std::string text = comparison(before, after);
  CHECK_THAT(text,
             Contains("  arithmetic    float fma                2,048           1,024    0.50x\n"
                      "                double add                   7               0    0.00x\n"
                      "  memory        least bytes              8,192           4,096    0.50x\n"));
}

}  // namespace convkit

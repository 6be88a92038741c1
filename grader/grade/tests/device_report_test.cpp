// SPDX-License-Identifier: MIT
#include "grade/device/device_report.h"

#include "catch.h"

namespace convkit {
namespace {

constexpr const char* kDivergence =
    "convkit: divergent_barrier: threads of one block wait at different __syncthreads().\n"
    "  in conv, block (0,0,0), thread (7,0,0), launched at conv.cu:25\n"
    "  Every thread of the block must reach the same barrier.\n";
constexpr const char* kLeak = "convkit: leak: allocation 1 was never freed.\n";
constexpr const char* kUnwritten = "convkit: uninitialised_global: thread (0,0,0) reads.\n";

std::string kind_of(const std::optional<DeviceReport>& report) {
  return report ? report->kind : "";
}

bool is_lost(const std::optional<DeviceReport>& report) {
  return report && report->sentence.find("did not arrive") != std::string::npos;
}

}  // namespace

TEST_CASE("a report of the CPU device is taken apart") {
  const auto report = find_device_report(kDivergence);
  REQUIRE(report);
  CHECK(report->kind == "divergent_barrier");
  CHECK(report->sentence == "threads of one block wait at different __syncthreads().");
  CHECK(report->place == "conv, block (0,0,0), thread (7,0,0), launched at conv.cu:25");
  CHECK(report->advice == "Every thread of the block must reach the same barrier.");
}

TEST_CASE("a grid that is too small explains an output, and decides nothing") {
  for (const std::string kind : {kGridTooSmall, kGridRoundedDown}) {
    const std::string printed =
        kLeak + ("convkit: " + kind + ": 1 of 9 elements: the grid.\n  Round up.\n");
    const auto report = find_grid_report(printed, " leak " + kind + " ");
    REQUIRE(report);
    CHECK(report->kind == kind);
    CHECK(report->sentence == "1 of 9 elements: the grid.");
    CHECK(report->advice == "Round up.");
    CHECK_FALSE(decides(kind));
    // The words of a submission, and a report that got lost.
    CHECK_FALSE(find_grid_report(printed, " leak "));
    CHECK_FALSE(find_grid_report(kLeak, " leak " + kind + " "));
  }
  CHECK(decides("race_across_streams"));
}

TEST_CASE("place and advice may be missing, and advice may have several lines") {
  const auto bare = find_device_report("convkit: trap: __trap() at a.cu:2.");
  REQUIRE(bare);
  CHECK(bare->sentence == "__trap() at a.cu:2.");
  CHECK((bare->place.empty() && bare->advice.empty()));

  const auto advised = find_device_report("convkit: leak: two arrays.\n  Free them.\n  Both.\n");
  REQUIRE(advised);
  CHECK(advised->place.empty());
  CHECK(advised->advice == "Free them. Both.");
}

TEST_CASE("lines of the source that a report quotes are no advice") {
  const auto report = find_device_report(
      "convkit: race: thread 1 writes what thread 0 reads.\n"
      "    tile.cu:12: tile[t] = in[t];\n"
      "    tile.cu:14: sum += tile[t + 1];\n"
      "  in conv, block (0,1,0)\n"
      "  Put a barrier between them.\n");
  REQUIRE(report);
  CHECK(report->place == "conv, block (0,1,0)");
  CHECK(report->advice == "Put a barrier between them.");
}

TEST_CASE("a report is found among other output, and ends where that goes on") {
  const auto report = find_device_report(
      "sum = 3\n  indented by the student\nconvkit: 3 more reports were left out.\n" +
      std::string(kDivergence) + "done\n  not advice\n");
  REQUIRE(report);
  CHECK(report->kind == "divergent_barrier");
  CHECK(report->advice == "Every thread of the block must reach the same barrier.");
}

TEST_CASE("of several reports the first is taken") {
  const auto report =
      find_device_report(std::string(kDivergence) + "convkit: leak: two arrays.\n  Free them.\n");
  REQUIRE(report);
  CHECK(report->kind == "divergent_barrier");
  CHECK(report->advice == "Every thread of the block must reach the same barrier.");
  const auto other = find_device_report("convkit: leak: two arrays.\n" + std::string(kDivergence));
  REQUIRE(other);
  CHECK(other->kind == "leak");
  CHECK(other->place.empty());
}

TEST_CASE("a leak, which makes no output wrong, comes behind every other report that decides") {
  const auto other =
      find_deciding_report(kLeak + std::string(kDivergence), " leak divergent_barrier ");
  CHECK(kind_of(other) == "divergent_barrier");
  CHECK(kind_of(find_deciding_report(kLeak, " leak ")) == "leak");
  // Who goes round a barrier races, too.
  const std::string race = "convkit: race_shared: thread (6,0,0) writes.\n";
  CHECK(kind_of(find_deciding_report(race + kDivergence, " race_shared divergent_barrier ")) ==
        "divergent_barrier");
  CHECK(kind_of(find_deciding_report(race + kDivergence, " race_shared ")) == "race_shared");
}

TEST_CASE("padding that a vector load reads decides nothing, and hides nothing that does") {
  for (const std::string kind : {"uninitialised_global", "uninitialised_vector", "race_volatile"}) {
    CHECK_FALSE(find_deciding_report("convkit: " + kind + ": thread 1 reads.\n", " " + kind + " "));
  }
  const std::string element = "convkit: uninitialised_shared: thread 1 reads an element.\n";
  CHECK(find_deciding_report(element, " uninitialised_shared "));
  const auto found = find_deciding_report(kUnwritten + std::string(kDivergence),
                                          " uninitialised_global divergent_barrier ");
  REQUIRE(found);
  CHECK(found->kind == "divergent_barrier");
  CHECK_FALSE(is_lost(found));
}

TEST_CASE("a line of a kind that check mode did not tell is the student's own") {
  const std::string forged = "convkit: note: nothing is wrong here.\n";
  CHECK_FALSE(find_deciding_report(forged, " "));
  CHECK_FALSE(find_report_told(forged, ""));
  CHECK(kind_of(find_deciding_report(forged + kLeak, " leak ")) == "leak");
  CHECK_FALSE(is_lost(find_deciding_report(forged + kLeak, " leak ")));
  CHECK(kind_of(find_report_told(forged + kUnwritten, " uninitialised_global ")) ==
        "uninitialised_global");
}

TEST_CASE("a report that decides and did not arrive is known by its kind") {
  const auto lost = find_deciding_report("", " leak ");
  CHECK(kind_of(lost) == "leak");
  CHECK(is_lost(lost));
  const auto behind = find_deciding_report(kUnwritten, " uninitialised_global race_shared leak ");
  CHECK(kind_of(behind) == "race_shared");
  CHECK(is_lost(behind));
  const auto one = find_deciding_report(kLeak, " race_shared leak ");  // it is enough
  CHECK(kind_of(one) == "leak");
  CHECK_FALSE(is_lost(one));
}

TEST_CASE("of reports that decide nothing, one is enough") {
  CHECK(is_lost(find_report_told("text\n", " uninitialised_global ")));
  CHECK_FALSE(is_lost(find_report_told(kUnwritten, " uninitialised_vector uninitialised_global ")));
  CHECK_FALSE(find_report_told("", " "));
}

TEST_CASE("threads that left a loop explain an output and decide nothing") {
  const std::string printed =
      "convkit: threads_returned: threads left a loop: the barrier at a.cu:1 is passed by 8 of 9\n"
      "  A thread that has returned loads nothing.\n";
  CHECK_FALSE(decides(kThreadsReturned));
  CHECK(only_explains(kThreadsReturned));
  CHECK(kind_of(find_report_of_returned(printed, " threads_returned ")) == kThreadsReturned);
  CHECK_FALSE(find_report_of_returned(printed, " leak "));
  CHECK_FALSE(find_grid_report(printed, " threads_returned "));
}

TEST_CASE("a shuffle from an absent lane explains an output and decides nothing") {
  const std::string printed =
      "convkit: absent_lane: lane 3 reads the value of lane 4 by __shfl_sync() at a.cu:1\n";
  CHECK_FALSE(decides(kAbsentLane));
  CHECK(only_explains(kAbsentLane));
  CHECK(kind_of(find_report_of_lane(printed, " absent_lane ")) == kAbsentLane);
  CHECK_FALSE(find_report_of_returned(printed, " absent_lane "));
}

TEST_CASE("text that is not a report is not taken for one") {
  for (const char* printed :
       {"", "\n", "convkit: ", "convkit:", "convkit: : no kind", "convkit: two words: said",
        "convkit: Kind: said", "convkit: kind/../x: said", "convkit: kind\x1b[31m: said",
        "convkit: kind:said", "convkit: kind", " convkit: kind: indented", "x convkit: kind: said",
        "convkit: CONVKIT_SIMT_THREADS=0: must be a number from 1 to 256.\n",
        "error: convkit: kind: said"}) {
    CAPTURE(printed);
    CHECK_FALSE(find_device_report(printed));
  }
}

TEST_CASE("a report may be cut off anywhere") {
  const std::string whole = kDivergence;
  for (size_t size = 0; size <= whole.size(); ++size) {
    const auto report = find_device_report(whole.substr(0, size));
    if (size >= std::string("convkit: divergent_barrier: ").size()) {
      REQUIRE(report);
      CHECK(whole.find(report->sentence) != std::string::npos);
    } else {
      CHECK_FALSE(report);
    }
  }
}

}  // namespace convkit

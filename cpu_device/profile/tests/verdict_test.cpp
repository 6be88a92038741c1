// SPDX-License-Identifier: MIT
#include "cpu_device/profile/program_profile.h"

#include "catch.h"

namespace convkit::simt::profile {
namespace {

Line line(int number, Kind kind, Sums sums) {
  sums.requests = 100;
  if (sums.lanes == 0) sums.lanes = 3200;
  sums.possible_lanes = 3200;
  if (kind == Kind::global_load || kind == Kind::global_store) sums.ideal_sectors = 400;
  return {"/src/a.cu", number, "a.cu:" + std::to_string(number), kind, sums};
}
Sums sectors(uint64_t count) {
  Sums sums;
  sums.sectors = count;
  sums.used_bytes = 12800;
  return sums;
}
Sums wavefronts(uint64_t count) {
  Sums sums;
  sums.wavefronts = count;
  sums.conflicts = count - 100;
  return sums;
}

KernelReport judged(std::vector<Line> lines) {
  static const KernelProfile kernel;
  return judge_kernel(kernel, std::move(lines));
}

}  // namespace

TEST_CASE("the verdict names the largest loss and the line that has most of it") {
  const KernelReport report =
      judged({line(3, Kind::global_load, sectors(400)), line(5, Kind::global_load, sectors(3200)),
              line(4, Kind::shared_load, wavefronts(200))});
  CHECK(report.limiter == "loads");
  CHECK(report.verdict.find("uncoalesced loads in a.cu:5: 32 sectors a request where 4 would do, "
                            "and 13 % of the bytes") != std::string::npos);
}

TEST_CASE("stores, bank conflicts, atomics, constants and divergence are told apart") {
  CHECK(judged({line(3, Kind::global_store, sectors(3200))}).limiter == "stores");
  CHECK(judged({line(3, Kind::shared_store, wavefronts(3200))}).limiter == "bank_conflicts");
  Sums contended;
  contended.passes = 3200;
  contended.hottest = 3200;
  const KernelReport atomics = judged({line(3, Kind::global_atomic, contended)});
  CHECK(atomics.limiter == "atomics");
  CHECK(atomics.verdict.find("one address gets 3200 of 3200") != std::string::npos);
  Sums different;
  different.words = 3200;
  const KernelReport constants = judged({line(3, Kind::constant_load, different)});
  CHECK(constants.limiter == "constants");
  CHECK(constants.verdict.find("a request loads 32 words of __constant__ memory") !=
        std::string::npos);
  different.words = 100;
  CHECK(judged({line(3, Kind::constant_load, different)}).limiter == "none");
  Sums few = wavefronts(100);
  few.lanes = 400;
  CHECK(judged({line(3, Kind::shared_load, few)}).limiter == "divergence");
}

TEST_CASE("a kernel whose accesses are as they should be is not blamed") {
  CHECK(
      judged({line(3, Kind::global_load, sectors(400)), line(3, Kind::global_store, sectors(400))})
          .limiter == "none");
  CHECK(judged({}).limiter == "none");
}

TEST_CASE("rows that begin within a sector, as a stencil's do, are not blamed") {
  CHECK(judged({line(3, Kind::global_load, sectors(500))}).limiter == "none");
}

TEST_CASE("instructions of one line and kind are one row, in the order of lines") {
  const KernelReport report =
      judged({line(7, Kind::global_load, sectors(400)), line(3, Kind::global_load, sectors(400)),
              line(7, Kind::global_load, sectors(800)), line(7, Kind::global_store, sectors(400))});
  REQUIRE(report.lines.size() == 3);
  CHECK(report.lines[0].number == 3);
  CHECK(report.lines[1].sums.sectors == 1200);
  CHECK(report.lines[1].sums.requests == 200);
}

TEST_CASE("JSON holds names of any bytes") {
  KernelProfile kernel;
  kernel.name = "a\"b\\c\n";
  CHECK(json_of({judge_kernel(kernel, {})}).find("\"a\\\"b\\\\c\\u000a\"") != std::string::npos);
}

}  // namespace convkit::simt::profile

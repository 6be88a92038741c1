// SPDX-License-Identifier: MIT
#include "process/own_time.h"

#include <algorithm>

#include "arena.h"
#include "catch.h"
#include "process/footprint.h"

namespace convkit {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("a program that runs is charged what it ran, and no more than passed") {
  const OwnTime::Clock::time_point begin{};
  OwnTime time(seconds(10), begin, 3);
  time.count(begin + seconds(20), true, 12.9);
  CHECK_FALSE(time.used_up());
  time.count(begin + seconds(21), true, 13.1);
  CHECK(time.used_up());
  CHECK_FALSE(time.starved());

  OwnTime many_threads(seconds(10), begin, 0);
  many_threads.count(begin + seconds(9), true, 90);
  CHECK_FALSE(many_threads.used_up());
  many_threads.count(begin + seconds(10), true, 100);
  CHECK(many_threads.used_up());
}

TEST_CASE("a program that sleeps is charged what passes") {
  const OwnTime::Clock::time_point begin{};
  OwnTime time(seconds(10), begin, 0);
  time.count(begin + seconds(9), false, 0.1);
  CHECK_FALSE(time.used_up());
  CHECK(time.slept() == seconds(9));
  time.count(begin + seconds(11), false, 0.1);
  CHECK(time.used_up());
}

TEST_CASE("a program that could run and does not get to it is starved") {
  const OwnTime::Clock::time_point begin{};
  OwnTime time(seconds(10), begin, 0);
  time.count(begin + seconds(49), true, 9);
  CHECK_FALSE(time.starved());
  time.count(begin + seconds(50), true, 9.1);
  CHECK(time.starved());
  CHECK_FALSE(time.used_up());
}

TEST_CASE("the next look comes when the limit may be used up, at the latest") {
  const OwnTime::Clock::time_point begin{};
  OwnTime time(seconds(10), begin, 0);
  CHECK(time.until_look(begin) == milliseconds(250));
  time.count(begin + seconds(9), true, 8.9);
  time.count(begin + milliseconds(10'000), false, 9);
  CHECK(time.until_look(begin + milliseconds(10'000)) == milliseconds(100));
  CHECK(OwnTime(milliseconds(0), begin, 0).until_look(begin) > seconds(60));
  CHECK_FALSE(OwnTime(milliseconds(0), begin, 0).used_up());
  CHECK_FALSE(OwnTime(milliseconds(0), begin, 0).starved());
}

TEST_CASE("whether a program can run is seen from outside") {
  Process looping(testing::hostile({"loop"}), {}), sleeping(testing::hostile({"sleep"}), {});
  const auto becomes = [](pid_t pid, bool wanted) {
    for (int i = 0; i < 2000; ++i) {
      if (can_run(pid) == wanted) return true;
      usleep(5000);
    }
    return false;
  };
  CHECK(becomes(looping.pid(), true));
  CHECK(becomes(sleeping.pid(), false));
  CHECK_FALSE(can_run(-1));
}

TEST_CASE("a family's time holds that of children who have ended, and the family is seen to run") {
  Command command;
  command.argv = {"/bin/sh", "-c",
                  "(i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done); \"$0\" sleep",
                  testing::kHostile};
  const Process process(command, {});
  bool ran = false, slept = false;
  for (int i = 0; i < 20'000 && !slept; ++i) {
    const auto family = family_of(process.pid());
    const bool runs = std::ranges::any_of(family, can_run);
    const bool counted = family_processor_time_s(family) > 0.03;
    ran = ran || runs;
    // Only then has the loop ended for certain.
    slept = counted && !runs && family.size() == 2 && processor_time_s(process.pid()) < 0.03;
    usleep(5000);
  }
  CHECK(ran);
  CHECK(slept);
  CHECK(family_processor_time_s({-1}) == 0);
}

}  // namespace convkit

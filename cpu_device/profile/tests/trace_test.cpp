// SPDX-License-Identifier: MIT
#include "cpu_device/profile/trace.h"

#include <catch.h>

namespace convkit::simt::profile {
namespace {

constexpr Instruction kFirst{0x10, Kind::global_load}, kYes{0x20, Kind::shared_load},
    kNo{0x30, Kind::shared_store}, kLast{0x40, Kind::global_store};

// "10:3 20:1": the address of the instruction and the lanes that make it; "|" is a barrier.
std::string text_of(const Trace& trace) {
  std::string text;
  for (const Trace::Step& step : trace.steps()) {
    char word[40];
    std::snprintf(word, sizeof word, "%zx:%x ", size_t{step.instruction.pc}, step.request.mask);
    text += step.is_barrier ? "| " : word;
  }
  return text;
}

void run(Trace& trace, unsigned lane, std::initializer_list<Instruction> instructions) {
  for (const Instruction& one : instructions) trace.access(lane, one, 0, 0x1000 + 4 * lane, 4);
}

TEST_CASE("lanes that do the same make the same steps") {
  Trace trace;
  for (unsigned lane = 0; lane < 3; ++lane) run(trace, lane, {kFirst, kLast});
  CHECK(text_of(trace) == "10:7 40:7 ");
  CHECK(trace.steps().front().request.address[2] == 0x1008);
}

TEST_CASE("a step of some lanes stands where those make it") {
  Trace trace;
  run(trace, 0, {kFirst, kYes, kLast});
  run(trace, 1, {kFirst, kNo, kLast});
  CHECK(text_of(trace) == "10:3 30:2 20:1 40:3 ");
}

TEST_CASE("lanes with more turns of a loop make its last steps alone") {
  Trace trace;
  run(trace, 0, {kFirst, kLast});
  run(trace, 1, {kFirst, kFirst, kFirst, kLast});
  CHECK(text_of(trace) == "10:3 10:2 10:2 40:3 ");
}

TEST_CASE("a lane that skips a turn of a loop takes part in the next ones") {
  Trace trace;
  for (const uint64_t turn : {1u, 2u, 3u}) trace.access(0, kFirst, turn, 0x1000, 4);
  for (const uint64_t turn : {2u, 3u}) trace.access(1, kFirst, turn, 0x1000, 4);
  CHECK(text_of(trace) == "10:1 10:3 10:3 ");
}

TEST_CASE("what follows a barrier stands behind it") {
  Trace trace;
  run(trace, 0, {kFirst});
  run(trace, 1, {kFirst, kYes});
  trace.barrier("a.cu", 7);
  run(trace, 0, {kFirst});
  run(trace, 1, {kFirst});
  CHECK(text_of(trace) == "10:3 20:2 | 10:3 ");
  trace.begin();
  run(trace, 5, {kFirst});
  CHECK(text_of(trace) == "10:20 ");
}

TEST_CASE("beyond so many steps, accesses are only counted") {
  Trace trace;
  for (size_t i = 0; i < Trace::kMostSteps + 3; ++i) run(trace, 0, {kFirst});
  CHECK(trace.steps().size() == Trace::kMostSteps);
  CHECK(trace.left_out() == 3);
}

}  // namespace
}  // namespace convkit::simt::profile

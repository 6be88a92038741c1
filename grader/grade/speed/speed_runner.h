// SPDX-License-Identifier: MIT
// The timing protocol: several libraries that define the same function, timed in turn on one core.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convkit/kit_error.h"
#include "convkit/timing.h"
#include "session/session.h"
#include "stage/stage.h"

namespace convkit {

// One contestant: a submission, the baseline, the reference solution, a vendor library.
struct Contestant {
  std::string name;
  SessionOptions options;
  std::string op;  // "": the one that is timed; another that computes the same
  Params params;   // of it, besides those of the shape
};

struct Timing {
  std::string name;
  Answer::Kind outcome = Answer::Kind::ok;  // of the first request that failed
  Answer failure;                           // ... and all about it
  bool wrong = false;                       // its output left the error bound
  std::string message;                      // for `wrong`: where
  std::string todo;                         // the stub that ran, if one did: Answer::todo
  // No call can have read its inputs and written its output in less; 0 if unknown.
  double floor_s = 0;
  std::vector<double> seconds;  // of each round's call; the same length for all that finished
};

// The message of a Timing all of whose output is missing.
inline constexpr const char* kWroteNothing = "It wrote nothing on the timed shape.";

struct TimingPlan {
  double budget_s = 4.0;  // of all contestants' measured time together; at least min_rounds run
  unsigned min_rounds = 7;
  unsigned max_rounds = 51;
  // Once it has passed, the round that runs is the last one, however few there were; one counts.
  std::optional<std::chrono::steady_clock::time_point> ends_by = {};
  // Whether what was measured so far is enough; asked after each round from min_rounds on.
  std::function<bool(const std::vector<Timing>&)> enough = {};
};

// Another process uses the GPU.
struct DeviceBusy : KitError {
  using KitError::KitError;
};

// Times `speed` for all contestants, the first of which is the baseline whose outputs judge the
// others.
//
// A value of an input is, in each round, a magnitude that stays the same, times a random number in
// (15/16, 1] with a random sign. These come from the kernel's generator, on a GPU through a key of
// ChaCha8, so nothing can be remembered from an earlier round or computed ahead, while the sum of
// the magnitudes' products bounds sum |x||w|, and with it the error, in every round. Outputs hold
// the sentinel before and are compared after every call; a contestant sees a round's inputs when
// its own turn begins, and by then the clock runs. Contestants run in turn in every round, in a
// fresh order; all but the one whose turn it is are stopped. What counts is the grader's own clock
// (Answer::seconds), less what a request takes without a call: the lower quartile of empty requests
// to the baseline, one in each round. The baseline errs by at most gamma * magnitude itself, so
// |y - baseline| <= 2 gamma * magnitude is what is asked; where the op is a sum of products, also
// that the root mean square of the errors is float32's (compare/precision.h).
//
// On a GPU a request makes many calls, as many for each contestant, each with inputs and an output
// of its own in memory that belongs to another process (device_memory/protocol.h). Of each output,
// elements that are drawn when the process stands still are compared, and one output in full: as
// they were before the clock stopped. Throws DeviceBusy where another process uses the GPU.
std::vector<Timing> time_in_turn(const Stage& stage, const SpeedCase& speed,
                                 const std::vector<Contestant>& contestants,
                                 const TimingPlan& plan);

}  // namespace convkit

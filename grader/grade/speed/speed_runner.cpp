// SPDX-License-Identifier: MIT
#include "grade/speed/speed_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "convkit/kit_error.h"
#include "cpu_device/cc/object_cache.h"
#include "grade/speed/kernel_random.h"
#include "grade/speed/rounds.h"
#include "grade/speed/timing_core.h"

namespace convkit {
namespace {

// What a request takes without a call. The lower quartile: what a busy machine adds is nobody's
// gain.
double overhead_of(const std::vector<double>& empty) {
  return empty.empty() ? 0 : quantile(empty, 0.25);
}

// What is left of each request's time for one call, where a request without a call takes `overhead`
// seconds.
std::vector<Timing> timings_of(const std::vector<std::unique_ptr<Seat>>& seats, double overhead) {
  std::vector<Timing> timings;
  for (const auto& seat : seats) {
    Timing timing = seat->timing;
    for (const auto& [seconds, calls] : seat->requests) {
      // What is shorter than the overhead itself cannot be told from nothing.
      timing.seconds.push_back(std::max(seconds - overhead, 0.5 * seconds) / calls);
    }
    timings.push_back(std::move(timing));
  }
  return timings;
}

}  // namespace

std::vector<Timing> time_in_turn(const Stage& stage, const SpeedCase& speed,
                                 const std::vector<Contestant>& contestants,
                                 const TimingPlan& plan) {
  const TimingCore core(ObjectCache::default_folder());
  const auto make = contestants.front().options.device ? make_device_rounds : make_host_rounds;
  const auto rounds = make(stage, speed, contestants, core.cpu());
  const auto& seats = rounds->seats();
  Seat& baseline = *seats.front();
  const auto must_run = [&](const char* when) {
    if (baseline.failed() && !interrupted()) {
      throw KitError(fmt::format("The baseline of {} failed {} ({}).", speed.name, when,
                                 baseline.timing.failure.text));
    }
  };
  must_run("to start");
  rounds->measure_magnitude();
  must_run("on positive inputs");

  KernelRandom random;
  std::vector<size_t> order(seats.size());
  std::iota(order.begin(), order.end(), size_t{0});
  double spent = 0;
  std::vector<double> empty;  // seconds of requests without a call
  bool counts = false;        // the first rounds warm up: they are judged but not counted
  for (unsigned counted = 0; counted < plan.max_rounds && !interrupted();) {
    if (counted > 0 && plan.ends_by && std::chrono::steady_clock::now() > *plan.ends_by) break;
    if (counted >= plan.min_rounds &&
        (spent > plan.budget_s ||
         (plan.enough && plan.enough(timings_of(seats, overhead_of(empty)))))) {
      break;
    }
    rounds->draw();
    const Answer nothing = rounds->run_empty();
    baseline.accept(nothing);
    must_run("without a call");
    if (interrupted()) break;
    std::shuffle(order.begin(), order.end(), random);
    for (size_t s : order) {
      if (!seats[s]->failed()) rounds->run(*seats[s]);
    }
    must_run("while it was timed");
    if (interrupted()) break;
    for (const auto& seat : seats) {
      if (seat->failed()) continue;
      seat->timing.message = rounds->fault_of(*seat);
      seat->timing.wrong = !seat->timing.message.empty();
      if (!counts || seat->failed()) continue;
      seat->requests.push_back(seat->request);
      spent += seat->request.seconds;
    }
    if (counts) {
      empty.push_back(nothing.seconds);
      ++counted;
    }
    counts = counts || rounds->warmed_up();
  }
  std::vector<Timing> timings = timings_of(seats, overhead_of(empty));
  const double floor_s = rounds->floor_s();
  for (Timing& timing : timings) timing.floor_s = floor_s;
  return timings;
}

}  // namespace convkit

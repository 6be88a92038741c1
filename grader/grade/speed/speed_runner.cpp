// SPDX-License-Identifier: MIT
#include "grade/speed/speed_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <string>
#include <thread>

#include "convkit/kit_error.h"
#include "cpu_device/cc/object_cache.h"
#include "grade/speed/kernel_random.h"
#include "grade/speed/rounds.h"
#include "process/process.h"

namespace convkit {
namespace {

// The core that is timed on: one grader at a time.

// Chooses the last CPU this process may use (the first one serves most interrupts) and holds it
// until destroyed: another grader of this user that wants to time waits. If the lock file cannot be
// made, there is no waiting.
class TimingCore {
 public:
  // Waits its turn, or until Ctrl-C.
  explicit TimingCore(const std::filesystem::path& lock_folder);
  ~TimingCore();
  TimingCore(const TimingCore&) = delete;
  TimingCore& operator=(const TimingCore&) = delete;

  int cpu() const { return cpu_; }

 private:
  int cpu_ = 0;
  int lock_ = -1;
};

int last_usable_cpu() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return 0;
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &usable)) last = cpu;
  }
  return last;
}

TimingCore::TimingCore(const std::filesystem::path& lock_folder) : cpu_(last_usable_cpu()) {
  const std::string file = lock_folder / ("timing-cpu-" + std::to_string(cpu_) + ".lock");
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return;
  while (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && !interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

TimingCore::~TimingCore() {
  if (lock_ >= 0) close(lock_);
}

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

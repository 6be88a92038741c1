// SPDX-License-Identifier: MIT
// Rounds of functions on a GPU. All contestants make the same calls on the same values, each call
// with inputs and an output of its own, in device memory that belongs to another process. The
// inputs appear there when the clock runs, and what is judged is taken before it stops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "convkit/kit_error.h"
#include "grade/speed/kernel_random.h"
#include "grade/speed/rounds.h"
#include "grade/speed/timing_memory.h"

namespace convkit {
namespace {

constexpr uint32_t kMostCalls = 1000;
// A request of the fastest contestant takes about this long, unless that of the slowest gets too
// long. The way there and back takes 0.3 ms more or less each time (seen on an H200); at 20 ms the
// ratios of pairs scatter by 1 to 3 %, at 150 ms by 0.2 %.
constexpr double kRequestSeconds = 0.15, kLongestRequestSeconds = 0.4;
constexpr unsigned kMostWarmUpRounds = 6;
// A kernel that does nothing takes some 10 us; where the device has to be shared it takes turns of
// some ms.
constexpr double kBusySeconds = 3e-4;
constexpr int kIdleTries = 50;

struct DeviceSeat : Seat {
  using Seat::Seat;

  uint32_t region = 0;
  Draw draw;
  std::vector<float> output, samples;  // of the last run, as drawn
};

class DeviceRounds final : public Rounds {
 public:
  DeviceRounds(const Stage& stage, const SpeedCase& speed,
               const std::vector<Contestant>& contestants, int cpu)
      : judge_(stage, speed),
        speed_(speed),
        memory_(contestants.front().options.memory_owner, speed,
                static_cast<uint32_t>(contestants.size()), kMostCalls, draw_magnitudes(speed)) {
    for (const Contestant& contestant : contestants) {
      auto seat = std::make_unique<DeviceSeat>(contestant, cpu);
      seat->region = static_cast<uint32_t>(seats_.size());
      memory_.poison(seat->region, memory_.slots());
      if (!seat->failed()) {
        seat->accept(seat->session.prepare(op_of(speed, contestant), params_of(speed, contestant),
                                           memory_.slots_of(seat->region)));
      }
      seats_.push_back(std::move(seat));
    }
  }

  void measure_magnitude() override {
    DeviceSeat& one = baseline();
    memory_.poison(one.region, 1);
    one.accept(one.session.run_timed(1, {[&] { memory_.reveal_magnitudes(one.region, 1); },
                                         [&] { memory_.snapshot(one.region, 1, {}); }}));
    if (!one.failed()) judge_.set_magnitude(memory_.fetch(1).output);
  }

  void draw() override {
    for (uint32_t& word : key_) word = static_cast<uint32_t>(random_());
  }

  Answer run_empty() override {
    const uint32_t region = baseline().region;
    must_be_idle();
    const Answer answer =
        baseline().session.run_empty({[&] { memory_.reveal(region, calls_, key_); },
                                      [&] { memory_.snapshot(region, calls_, {}); }});
    overhead_ = answer.seconds;
    return answer;
  }

  void run(Seat& seat) override {
    auto& one = static_cast<DeviceSeat&>(seat);
    const double poison_s = memory_.poison(one.region, calls_);
    must_be_idle();
    if (one.failed()) return;  // it was its own work
    double reveal_s = 0;
    const Answer answer = one.session.run_timed(
        calls_, {[&] { reveal_s = memory_.reveal(one.region, calls_, key_); },
                 [&] {
                   // Nobody knows before what will be judged.
                   one.draw = {random_(), static_cast<uint32_t>(random_() % calls_)};
                   memory_.snapshot(one.region, calls_, one.draw);
                 }});
    one.accept(answer);
    if (one.failed()) return;
    one.request = {answer.seconds, calls_};
    write_s_ = std::min(write_s_, (poison_s + reveal_s) / calls_);
    const TimingMemory::Kept kept = memory_.fetch(calls_);
    one.output.assign(kept.output.begin(), kept.output.end());
    one.samples.assign(kept.samples.begin(), kept.samples.end());
  }

  // The baseline's outputs are still where it has written them.
  std::string fault_of(Seat& seat) override {
    auto& one = static_cast<DeviceSeat&>(seat);
    memory_.snapshot(baseline().region, calls_, one.draw);
    const TimingMemory::Kept expected = memory_.fetch(calls_);
    std::vector<double> magnitude(expected.samples.size());
    for (size_t i = 0; i < magnitude.size(); ++i) {
      magnitude[i] =
          judge_.magnitude()[memory_.place(one.draw, i / memory_.sampled(), i % memory_.sampled())];
    }
    const Comparison some = judge_.compare_some(one.samples, expected.samples, magnitude);
    const bool wrote_nothing = some.unwritten == some.elements;
    if (wrote_nothing && !one.timing.todo.empty()) return kWroteNothing;  // not started
    if (some.unwritten == 0) {  // a whole output tells more
      memory_.fetch_inputs(baseline().region, one.draw.full);
      std::vector<std::span<const float>> inputs;
      for (size_t i = 0; i < speed_.inputs.size(); ++i) inputs.push_back(memory_.fetched_input(i));
      const std::string fault = judge_.fault(one.output, expected.output, inputs, one.contestant);
      if (!fault.empty() || some.passed()) return fault;
    }
    return fmt::format(
        "When the clock stopped, {} of {} elements drawn from the outputs of {} calls were {}.",
        some.unwritten == 0 ? some.wrong : some.unwritten, some.elements, calls_,
        some.unwritten == 0 ? "wrong" : "not written");
  }

  // Half the time in which the device itself writes as much as a call reads and writes.
  double floor_s() override { return std::isfinite(write_s_) ? write_s_ / 2 : 0; }

  // Until the number of calls is what the measured times ask for.
  bool warmed_up() override {
    double fastest = kLongestRequestSeconds, slowest = 0;
    for (const auto& seat : seats_) {
      if (seat->failed()) continue;
      const double one_call = std::max(seat->request.seconds - overhead_, 0.0) / calls_;
      fastest = std::min(fastest, one_call);
      slowest = std::max(slowest, one_call);
    }
    const double wanted = std::min(kRequestSeconds / std::max(fastest, 1e-7),
                                   kLongestRequestSeconds / std::max(slowest, 1e-7));
    const auto calls = static_cast<uint32_t>(std::clamp(wanted, 1.0, double(memory_.slots())));
    // The first calls are slow, above all those of libraries: their time settles nothing and says
    // too little for a leap.
    const bool settled = warm_up_rounds_ > 0 && calls < 2 * calls_ && calls_ < 2 * calls;
    if (settled || ++warm_up_rounds_ == kMostWarmUpRounds) return true;
    calls_ = std::min(calls, 16 * calls_);
    return false;
  }

 private:
  DeviceSeat& baseline() { return static_cast<DeviceSeat&>(*seats_.front()); }

  // What one contestant left running would slow down another. Who did is found out by ending them,
  // one after the other.
  void must_be_idle() {
    if (is_idle()) return;
    for (size_t i = 1; i < seats_.size(); ++i) {
      if (seats_[i]->failed()) continue;
      seats_[i]->session.end();
      if (!is_idle()) continue;
      seats_[i]->timing.wrong = true;
      seats_[i]->timing.message = "It left work running on the GPU after it had returned.";
      return;
    }
    throw DeviceBusy("Something else is using the GPU, so nothing was timed.");
  }

  bool is_idle() {
    for (int i = 0; i < kIdleTries; ++i) {
      const TimingMemory::State state = memory_.state();
      if (state.slowed_down) {
        throw DeviceBusy("The GPU is slowed down by heat or lack of power, so nothing was timed.");
      }
      if (state.idle_s <= kBusySeconds) return true;
    }
    return false;
  }

  TimedJudge judge_;
  const SpeedCase& speed_;
  KernelRandom random_;
  TimingMemory memory_;
  InputKey key_{};
  uint32_t calls_ = 1;
  unsigned warm_up_rounds_ = 0;
  double overhead_ = 0;
  double write_s_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::unique_ptr<Rounds> make_device_rounds(const Stage& stage, const SpeedCase& speed,
                                           const std::vector<Contestant>& contestants, int cpu) {
  return std::make_unique<DeviceRounds>(stage, speed, contestants, cpu);
}

}  // namespace convkit

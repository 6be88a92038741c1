// SPDX-License-Identifier: MIT
#include "grade/speed/speed_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "compare/compare.h"
#include "convkit/kit_error.h"
#include "cpu_device/cc/object_cache.h"
#include "grade/speed/kernel_random.h"
#include "grade/speed/timing_core.h"

namespace convkit {
namespace {

constexpr double kGpuRequestSeconds = 0.02;

std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

std::vector<TensorSpec> float_specs(const std::vector<TensorShape>& shapes) {
  std::vector<TensorSpec> specs;
  for (const TensorShape& shape : shapes) specs.push_back({shape.name, DType::float32, shape.dims});
  return specs;
}

// The magnitudes of all inputs, uniform in (0, 1], fixed for a whole timing.
std::vector<std::vector<float>> draw_magnitudes(const SpeedCase& speed, KernelRandom& random) {
  std::vector<std::vector<float>> inputs;
  for (const TensorShape& shape : speed.inputs) {
    std::vector<float> values(static_cast<size_t>(shape.elements()));
    for (float& value : values) value = static_cast<float>((random() >> 40) + 1) * 0x1p-24f;
    inputs.push_back(std::move(values));
  }
  return inputs;
}

// out[i] = +-magnitudes[i] * r, r in (15/16, 1].
void draw_values(std::span<const float> magnitudes, KernelRandom& random, std::span<float> out) {
  uint64_t bits = 0;
  for (size_t i = 0; i < magnitudes.size(); ++i) {
    bits = i % 2 == 0 ? random() : bits >> 32;
    const float less = static_cast<float>(bits & 0xfffff) * 0x1p-24f;
    out[i] = (magnitudes[i] - magnitudes[i] * less) * (bits >> 31 & 1 ? -1.0f : 1.0f);
  }
}

struct Request {
  double seconds = 0;
  unsigned times = 1;  // calls in it
};

// One contestant at work: its process and its own copies of the tensors.
struct Seat {
  Seat(const Contestant& contestant, const SpeedCase& speed, int cpu)
      : on_gpu(contestant.options.device),
        inputs(float_specs(speed.inputs)),
        outputs(float_specs({speed.output})),
        session(pinned(contestant.options, cpu)) {
    timing.name = contestant.name;
    outputs.poison();
    accept(session.start());
    if (failed()) return;
    Params params = speed.params;
    for (const auto& [name, param] : contestant.params) params[name] = param;
    accept(
        session.prepare(contestant.op.empty() ? speed.op : contestant.op, params, inputs, outputs));
  }

  // A contestant sees a round's inputs when its own turn begins, not before.
  void run(const std::vector<std::vector<float>>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      std::memcpy(inputs.bytes(i).data(), values[i].data(), inputs.bytes(i).size());
    }
    outputs.poison();
    const Answer answer = session.run_timed(times);
    accept(answer);
    if (failed()) return;
    request = {answer.seconds, times};
    // On a GPU one call may take less than the way there and back: so many in a row that it does
    // not matter, and that the clock of the GPU comes up.
    if (on_gpu) {
      const double one_call = answer.seconds / times;
      times = static_cast<unsigned>(std::clamp(kGpuRequestSeconds / one_call, 1.0, 1000.0));
    }
    // The process is stopped and its outputs are copied at once, so what a thread writes after the
    // reply comes too late.
    const std::span<float> shared = floats(outputs.bytes(0));
    got.assign(shared.begin(), shared.end());
  }
  void accept(const Answer& answer) {
    if (answer.kind == Answer::Kind::ok) return;
    timing.outcome = answer.kind;
    timing.failure = answer;
  }
  bool failed() const { return timing.outcome != Answer::Kind::ok || timing.wrong; }

  static SessionOptions pinned(SessionOptions options, int cpu) {
    options.cpu = cpu;
    return options;
  }

  bool on_gpu;
  unsigned times = 1;  // calls in one request
  SharedArena inputs, outputs;
  Session session;
  Timing timing;
  std::vector<float> got;         // the outputs of the last run
  Request request;                // the last one
  std::vector<Request> requests;  // those that count
};

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
    for (const auto& [seconds, times] : seat->requests) {
      // What is shorter than the overhead itself cannot be told from nothing.
      timing.seconds.push_back(std::max(seconds - overhead, 0.5 * seconds) / times);
    }
    timings.push_back(std::move(timing));
  }
  return timings;
}

}  // namespace

std::vector<Timing> time_in_turn(const Stage& stage, const SpeedCase& speed,
                                 const std::vector<Contestant>& contestants,
                                 const TimingPlan& plan) {
  KernelRandom random;
  const auto magnitudes = draw_magnitudes(speed, random);
  const TimingCore core(ObjectCache::default_folder());
  std::vector<std::unique_ptr<Seat>> seats;
  for (const Contestant& contestant : contestants) {
    seats.push_back(std::make_unique<Seat>(contestant, speed, core.cpu()));
  }
  Seat& baseline = *seats.front();
  const auto must_run = [&](const char* when) {
    if (baseline.failed() && !interrupted()) {
      throw KitError(fmt::format("The baseline of {} failed {} ({}).", speed.name, when,
                                 baseline.timing.failure.text));
    }
  };
  must_run("to start");

  // sum |x||w| of every output: the baseline on the magnitudes alone. It is a float32 sum itself:
  // one more gamma covers it.
  baseline.run(magnitudes);
  must_run("on positive inputs");
  if (interrupted()) return {};
  const Tolerance one{speed.terms, stage.unit_roundoff, 1};
  std::vector<double> magnitude(baseline.got.begin(), baseline.got.end());
  for (double& value : magnitude) value *= 1 + one.gamma();
  const Tolerance tolerance{speed.terms, stage.unit_roundoff, 1 + stage.factor};

  std::vector<size_t> order(seats.size());
  std::iota(order.begin(), order.end(), size_t{0});
  double spent = 0;
  std::vector<double> empty;  // seconds of requests without a call
  std::vector<double> expected(magnitude.size());
  std::vector<std::vector<float>> values = magnitudes;  // the inputs of a round
  // Round 0 warms up: pages are touched, code is loaded. It is judged but not counted.
  for (unsigned round = 0; round <= plan.max_rounds && !interrupted(); ++round) {
    if (round > plan.min_rounds &&
        (spent > plan.budget_s ||
         (plan.enough && plan.enough(timings_of(seats, overhead_of(empty)))))) {
      break;
    }
    for (size_t i = 0; i < magnitudes.size(); ++i) draw_values(magnitudes[i], random, values[i]);
    const Answer nothing = baseline.session.run_empty();
    baseline.accept(nothing);
    must_run("without a call");
    if (interrupted()) break;
    empty.push_back(nothing.seconds);
    std::shuffle(order.begin(), order.end(), random);
    for (size_t s : order) {
      if (!seats[s]->failed()) seats[s]->run(values);
    }
    must_run("while it was timed");
    if (interrupted()) break;
    std::copy(baseline.got.begin(), baseline.got.end(), expected.begin());
    for (const auto& seat : seats) {
      if (seat->failed()) continue;
      const Comparison comparison = compare(seat->got, expected, magnitude, tolerance);
      if (!comparison.passed()) {
        seat->timing.wrong = true;
        seat->timing.message =
            comparison.unwritten == comparison.elements
                ? "It wrote nothing on the timed shape."
                : fmt::format(
                      "{} of {} outputs are wrong on the timed shape (the first at index {}).",
                      comparison.wrong, comparison.elements, comparison.first.index);
      } else if (round > 0) {
        seat->requests.push_back(seat->request);
        spent += seat->request.seconds / seat->request.times;
      }
    }
  }
  return timings_of(seats, overhead_of(empty));
}

}  // namespace convkit

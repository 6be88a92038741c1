// SPDX-License-Identifier: MIT
// Rounds of functions on the CPU: tensors in memory that is shared with the runner, one call in a
// request.
#include <cstring>

#include "device_memory/values.h"
#include "grade/speed/kernel_random.h"
#include "grade/speed/memory_floor.h"
#include "grade/speed/rounds.h"

namespace convkit {
namespace {

std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

std::vector<TensorSpec> float_specs(const std::vector<TensorShape>& shapes) {
  std::vector<TensorSpec> specs;
  for (const TensorShape& shape : shapes) specs.push_back({shape.name, DType::float32, shape.dims});
  return specs;
}

// out[i] = +-magnitudes[i] * r, r in (15/16, 1].
void draw_values(std::span<const float> magnitudes, KernelRandom& random, std::span<float> out) {
  uint64_t bits = 0;
  for (size_t i = 0; i < magnitudes.size(); ++i) {
    bits = i % 2 == 0 ? random() : bits >> 32;
    out[i] = device_memory::value_of(magnitudes[i], static_cast<uint32_t>(bits));
  }
}

struct HostSeat : Seat {
  HostSeat(const Contestant& one, const SpeedCase& speed, int cpu)
      : Seat(one, cpu), inputs(float_specs(speed.inputs)), outputs(float_specs({speed.output})) {
    outputs.poison();
    if (!failed()) {
      accept(session.prepare(op_of(speed, one), params_of(speed, one), inputs, outputs));
    }
  }

  SharedArena inputs, outputs;
  std::vector<float> got;  // the outputs of the last run
};

class HostRounds final : public Rounds {
 public:
  HostRounds(const Stage& stage, const SpeedCase& speed, const std::vector<Contestant>& contestants,
             int cpu)
      : speed_(speed),
        judge_(stage, speed),
        magnitudes_(draw_magnitudes(speed)),
        values_(magnitudes_) {
    for (const Contestant& contestant : contestants) {
      seats_.push_back(std::make_unique<HostSeat>(contestant, speed, cpu));
    }
  }

  void measure_magnitude() override {
    run(*seats_.front());
    judge_.set_magnitude(baseline().got);
  }

  void draw() override {
    for (size_t i = 0; i < values_.size(); ++i) draw_values(magnitudes_[i], random_, values_[i]);
  }

  Answer run_empty() override { return baseline().session.run_empty(); }

  void run(Seat& seat) override {
    auto& one = static_cast<HostSeat&>(seat);
    for (size_t i = 0; i < values_.size(); ++i) {
      std::memcpy(one.inputs.bytes(i).data(), values_[i].data(), one.inputs.bytes(i).size());
    }
    one.outputs.poison();
    const Answer answer = one.session.run_timed(1);
    one.accept(answer);
    if (one.failed()) return;
    one.request.seconds = answer.seconds;
    // The process stands still and its outputs are copied at once, so what a thread writes after
    // the reply comes too late.
    const std::span<float> shared = floats(one.outputs.bytes(0));
    one.got.assign(shared.begin(), shared.end());
  }

  std::string fault_of(Seat& seat) override {
    return judge_.fault(static_cast<HostSeat&>(seat).got, baseline().got,
                        {values_.begin(), values_.end()}, seat.contestant);
  }

  // Pages are touched, code is loaded.
  bool warmed_up() override { return true; }

  double floor_s() override { return memory_floor_s(speed_); }

 private:
  HostSeat& baseline() { return static_cast<HostSeat&>(*seats_.front()); }

  const SpeedCase& speed_;
  KernelRandom random_;
  TimedJudge judge_;
  std::vector<std::vector<float>> magnitudes_, values_;
};

}  // namespace

std::unique_ptr<Rounds> make_host_rounds(const Stage& stage, const SpeedCase& speed,
                                         const std::vector<Contestant>& contestants, int cpu) {
  return std::make_unique<HostRounds>(stage, speed, contestants, cpu);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// What a timing does in each of its rounds, for functions on the CPU and on a GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compare/compare.h"
#include "grade/speed/speed_runner.h"

namespace convkit {

struct TimedRequest {
  double seconds = 0;
  unsigned calls = 1;
};

// One contestant at work.
struct Seat {
  Seat(const Contestant& contestant, int cpu);

  void accept(const Answer& answer);
  bool failed() const { return timing.outcome != Answer::Kind::ok || timing.wrong; }

  const Contestant& contestant;
  Session session;
  Timing timing;
  TimedRequest request;                // the last one
  std::vector<TimedRequest> requests;  // those that count
};

// The first seat is the baseline's.
class Rounds {
 public:
  virtual ~Rounds() = default;

  // Runs the baseline on the magnitudes alone: sum |x||w| of every output.
  virtual void measure_magnitude() = 0;
  // New values for all inputs, which nobody sees yet.
  virtual void draw() = 0;
  // A request to the baseline in which nothing is called.
  virtual Answer run_empty() = 0;
  // A contestant sees the values when its own turn begins, not before.
  virtual void run(Seat& seat) = 0;
  // After all have run: whether the outputs agree with the baseline's, else what is wrong.
  virtual std::string fault_of(Seat& seat) = 0;
  // After a round: whether the next one counts.
  virtual bool warmed_up() = 0;
  // Seconds in which no call can have read its inputs and written its output; 0 if unknown.
  virtual double floor_s() = 0;

  const std::vector<std::unique_ptr<Seat>>& seats() const { return seats_; }

 protected:
  std::vector<std::unique_ptr<Seat>> seats_;
};

std::unique_ptr<Rounds> make_host_rounds(const Stage& stage, const SpeedCase& speed,
                                         const std::vector<Contestant>& contestants, int cpu);
std::unique_ptr<Rounds> make_device_rounds(const Stage& stage, const SpeedCase& speed,
                                           const std::vector<Contestant>& contestants, int cpu);

// What both have in common.

// The magnitudes of all inputs, uniform in (0, 1], fixed for a whole timing.
std::vector<std::vector<float>> draw_magnitudes(const SpeedCase& speed);
Params params_of(const SpeedCase& speed, const Contestant& contestant);
std::string op_of(const SpeedCase& speed, const Contestant& contestant);

// Judges outputs by those of the baseline.
class TimedJudge {
 public:
  TimedJudge(const Stage& stage, const SpeedCase& speed) : stage_(stage), speed_(speed) {}

  // The outputs of the baseline on the magnitudes. It is a float32 sum itself: one more gamma
  // covers it.
  void set_magnitude(std::span<const float> output);
  const std::vector<double>& magnitude() const { return magnitude_; }

  // What is wrong with a whole output; `inputs` are those of the call, in their order. A vendor's
  // library may choose an algorithm whose precision is not float32's: only its bound is asked.
  std::string fault(std::span<const float> got, std::span<const float> baseline,
                    const std::vector<std::span<const float>>& inputs,
                    const Contestant& contestant) const;
  // Compares some elements, whose magnitudes are given.
  Comparison compare_some(std::span<const float> got, std::span<const float> baseline,
                          std::span<const double> magnitude) const;

 private:
  Tolerance tolerance() const { return {speed_.terms, stage_.unit_roundoff, 1 + stage_.factor}; }
  std::string lost_precision(std::span<const float> got, std::span<const double> expected,
                             const std::vector<std::span<const float>>& inputs) const;

  const Stage& stage_;
  const SpeedCase& speed_;
  std::vector<double> magnitude_;
};

}  // namespace convkit

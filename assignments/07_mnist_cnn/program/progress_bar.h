// SPDX-License-Identifier: MIT
// How far an epoch is: one line that is written again and again on a terminal, and a few plain
// lines elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace convkit::train {

class ProgressBar {
 public:
  // `title` such as "epoch 2/3"; `total` images, and `later` ones in the epochs after it.
  ProgressBar(std::string title, int64_t total, int64_t later, bool terminal);
  void show(int64_t images, double loss, double accuracy);
  // A line of its own, above the bar.
  void say(const std::string& sentence);
  // Until the last epoch ends, without its tests; 0 while that is not known.
  double seconds_left(int64_t images) const;
  // Ends the line. `tail` is put behind it.
  void finish(int64_t images, double loss, double accuracy, const std::string& tail);

 private:
  using Clock = std::chrono::steady_clock;
  void measure(int64_t images);
  std::string line(int64_t images, double loss, double accuracy) const;

  std::string title_;
  int64_t total_, later_;
  bool terminal_;
  int quarter_ = 0;
  int64_t first_images_ = -1;  // at the first step: more than a batch where an epoch was resumed
  double rate_ = 0;            // images a second, until the last step
  Clock::time_point start_ = Clock::now(), shown_{};
};

// "40 s", "12 min", "3 h 5 min"
std::string duration_text(double seconds);

}  // namespace convkit::train

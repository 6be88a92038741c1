// SPDX-License-Identifier: MIT
// Reading the clock, and what to say about repeated measurements of one thing.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

namespace convkit {

// Seconds on a clock that never goes back; only differences mean anything.
inline double monotonic_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Stopwatch {
 public:
  double elapsed_s() const { return monotonic_s() - start_s_; }
  void restart() { start_s_ = monotonic_s(); }

 private:
  double start_s_ = monotonic_s();
};

// Order statistics: they ignore the few slow runs that every shared machine has.
struct Spread {
  size_t count = 0;
  double minimum = 0, lower_quartile = 0, median = 0, upper_quartile = 0, maximum = 0;
  double median_deviation = 0;  // median of |x - median|

  // Half the distance of the quartiles in units of the median: 0.02 reads "+- 2 %".
  double relative() const { return (upper_quartile - lower_quartile) / (2 * median); }
};

// The value below which the fraction q in [0, 1] of the samples lies, linear between neighbours
// (NumPy's default). Throws std::invalid_argument for no samples, a NaN among them, or such a q.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);
Spread spread(std::span<const double> samples);

struct Interval {
  double low = 0, high = 0;
};

// Where the median of what the samples are drawn from lies, in 95 % of all cases or more, whatever
// their distribution: between two of the samples (a binomial confidence interval, as in Conover,
// Practical Nonparametric Statistics, section 3.2). With fewer than six samples it is from the
// least to the greatest, which says less. Throws as quantile() does.
Interval median_interval(std::span<const double> samples);

// The ratios numerator[i] / denominator[i] of two things measured in turn, a b a b ...: whatever
// slows the machine down slows both sides of a pair. Throws std::invalid_argument where the
// lengths differ or a denominator is not positive.
std::vector<double> ratios_of_pairs(std::span<const double> numerator,
                                    std::span<const double> denominator);
inline Spread ratio_of_pairs(std::span<const double> numerator,
                             std::span<const double> denominator) {
  return spread(ratios_of_pairs(numerator, denominator));
}

}  // namespace convkit

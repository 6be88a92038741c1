// SPDX-License-Identifier: MIT
#include "convkit/timing.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace convkit {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("There are no samples.");
  std::vector<double> out(samples.begin(), samples.end());
  // NaN cannot be ordered and would make sort() undefined.
  if (std::any_of(out.begin(), out.end(), [](double x) { return std::isnan(x); })) {
    throw std::invalid_argument("A sample is not a number.");
  }
  std::sort(out.begin(), out.end());
  return out;
}

double quantile_of_sorted(const std::vector<double>& sorted_samples, double q) {
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("A quantile lies between 0 and 1.");
  const double position = q * static_cast<double>(sorted_samples.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted_samples.size() - 1);
  const double share = position - static_cast<double>(below);
  return (1 - share) * sorted_samples[below] + share * sorted_samples[above];
}

}  // namespace

double quantile(std::span<const double> samples, double q) {
  return quantile_of_sorted(sorted(samples), q);
}

double median(std::span<const double> samples) {
  return quantile(samples, 0.5);
}

Spread spread(std::span<const double> samples) {
  std::vector<double> values = sorted(samples);
  Spread out;
  out.count = values.size();
  out.minimum = values.front();
  out.lower_quartile = quantile_of_sorted(values, 0.25);
  out.median = quantile_of_sorted(values, 0.5);
  out.upper_quartile = quantile_of_sorted(values, 0.75);
  out.maximum = values.back();
  for (double& value : values) value = std::abs(value - out.median);
  out.median_deviation = median(values);
  return out;
}

Interval median_interval(std::span<const double> samples) {
  const std::vector<double> values = sorted(samples);
  const size_t n = values.size();
  // The k-th sample from below is above the median as often as a coin shows heads fewer than k
  // times in n throws: `tail`.
  size_t k = 0;
  double tail = 0, exactly_k = std::ldexp(1.0, -static_cast<int>(n));
  while (tail + exactly_k <= 0.025) {
    tail += exactly_k;
    exactly_k *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  const size_t low = k > 0 ? k - 1 : 0;
  return {values[low], values[n - 1 - low]};
}

std::vector<double> ratios_of_pairs(std::span<const double> numerator,
                                    std::span<const double> denominator) {
  if (numerator.size() != denominator.size()) {
    throw std::invalid_argument("The two sides of a ratio have different numbers of samples.");
  }
  std::vector<double> ratios;
  for (size_t i = 0; i < numerator.size(); ++i) {
    if (!(denominator[i] > 0)) throw std::invalid_argument("A time in a ratio is not positive.");
    ratios.push_back(numerator[i] / denominator[i]);
  }
  return ratios;
}

}  // namespace convkit

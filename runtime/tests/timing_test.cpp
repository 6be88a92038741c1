// SPDX-License-Identifier: MIT
#include "convkit/timing.h"

#include <limits>
#include <stdexcept>
#include <vector>

#include "catch.h"

namespace convkit {
namespace {

TEST_CASE("quantiles are those of numpy.quantile") {
  const std::vector<double> samples = {7, 1, 3, 10};
  CHECK(quantile(samples, 0) == 1);
  CHECK(quantile(samples, 0.25) == 2.5);
  CHECK(median(samples) == 5);
  CHECK(quantile(samples, 0.75) == 7.75);
  CHECK(quantile(samples, 1) == 10);
  CHECK(quantile(std::vector<double>{4}, 0.3) == 4);
}

TEST_CASE("the spread ignores one wild sample") {
  const Spread s = spread(std::vector<double>{1.0, 1.1, 0.9, 1.0, 1000.0});
  CHECK(s.count == 5);
  CHECK(s.minimum == 0.9);
  CHECK(s.median == 1.0);
  CHECK(s.maximum == 1000.0);
  CHECK(s.lower_quartile == 1.0);
  CHECK(s.upper_quartile == 1.1);
  CHECK(s.median_deviation == Approx(0.1));
  CHECK(s.relative() == Approx(0.05));
}

TEST_CASE("the ratio of pairs does not see a drift that both sides share") {
  std::vector<double> fast, slow;
  for (int i = 0; i < 9; ++i) {
    const double drift = 1 + i;
    fast.push_back(2 * drift);
    slow.push_back(5 * drift);
  }
  const Spread ratio = ratio_of_pairs(slow, fast);
  CHECK(ratio.median == Approx(2.5));
  CHECK(ratio.relative() == Approx(0).margin(1e-12));
}

TEST_CASE("the interval of a median is that of the binomial distribution") {
  // P(fewer than k of n heads) <= 0.025: k = 1 for n = 7 (1/128), 2 for 9 (10/512), 4 for 15
  // (576/32768), 19 for 51.
  const auto interval = [](int n) {
    std::vector<double> samples;
    for (int i = n; i > 0; --i) samples.push_back(i);
    const Interval found = median_interval(samples);
    return std::pair(found.low, found.high);
  };
  CHECK(interval(7) == std::pair(1.0, 7.0));
  CHECK(interval(9) == std::pair(2.0, 8.0));
  CHECK(interval(15) == std::pair(4.0, 12.0));
  CHECK(interval(51) == std::pair(19.0, 33.0));
  CHECK(interval(1) == std::pair(1.0, 1.0));
  CHECK(interval(5) == std::pair(1.0, 5.0));
}

TEST_CASE("statistics of nothing, of NaN and of times that are not positive are refused") {
  using Samples = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(median(Samples{}), std::invalid_argument);
  CHECK_THROWS_AS(spread(Samples{1, nan}), std::invalid_argument);
  CHECK_THROWS_AS(median_interval(Samples{}), std::invalid_argument);
  CHECK_THROWS_AS(quantile(Samples{1}, 1.5), std::invalid_argument);
  CHECK_THROWS_AS(quantile(Samples{1}, nan), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_pairs(Samples{1}, Samples{1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_pairs(Samples{1}, Samples{0}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_pairs(Samples{1}, Samples{nan}), std::invalid_argument);
}

TEST_CASE("the clock does not go back") {
  Stopwatch watch;
  double last = 0;
  for (int i = 0; i < 1000; ++i) {
    const double now = watch.elapsed_s();
    REQUIRE(now >= last);
    last = now;
  }
}

}  // namespace
}  // namespace convkit

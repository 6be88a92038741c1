// SPDX-License-Identifier: MIT
#include "profile/roofline.h"

#include <algorithm>
#include <limits>

namespace convkit {
namespace {

double quotient(uint64_t flop, uint64_t bytes) {
  if (bytes == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(flop) / static_cast<double>(bytes);
}

}  // namespace

OperationCounts& OperationCounts::operator+=(const OperationCounts& other) {
  float_fma += other.float_fma;
  float_mul += other.float_mul;
  float_add += other.float_add;
  double_fma += other.double_fma;
  double_mul += other.double_mul;
  double_add += other.double_add;
  special += other.special;
  return *this;
}

uint64_t flop(const OperationCounts& counts) {
  return 2 * (counts.float_fma + counts.double_fma) + counts.float_mul + counts.float_add +
         counts.double_mul + counts.double_add + counts.special;
}

double Roofline::intensity() const {
  return quotient(flop, traffic.least_bytes);
}

double Roofline::l1_intensity() const {
  return quotient(flop, traffic.l1_bytes);
}

Roofline roofline(const Card& card, const OperationCounts& counts, const Traffic& traffic) {
  // An operation takes the time of a fused multiply-add. Those of floats and of doubles are made
  // by different units, at the same time.
  const auto floats =
      static_cast<double>(counts.float_fma + counts.float_mul + counts.float_add + counts.special);
  const auto doubles =
      static_cast<double>(counts.double_fma + counts.double_mul + counts.double_add);
  const double double_gflops = card.float_gflops / card.floats_per_double;
  const double float_ns = 2 * floats / card.float_gflops, double_ns = 2 * doubles / double_gflops;
  const double memory_ns = static_cast<double>(traffic.least_bytes) / card.memory_gb_s;
  Roofline result{&card, flop(counts), traffic};
  const auto all = static_cast<double>(result.flop);
  result.peak = doubles > floats ? double_gflops : card.float_gflops;
  result.ceiling = all / std::max(float_ns, double_ns);
  result.attainable = all / std::max({float_ns, double_ns, memory_ns});
  result.memory_bound = memory_ns > std::max(float_ns, double_ns);
  return result;
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Products of sizes that come from outside and may overflow.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace convkit {

// The product in 64 bits (1 for no factors); nothing where a factor is negative or a partial
// product does not fit, even if a later factor is zero.
constexpr std::optional<int64_t> checked_product(std::span<const int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (factor < 0 || __builtin_mul_overflow(product, factor, &product)) return std::nullopt;
  }
  return product;
}

constexpr std::optional<int64_t> checked_product(std::initializer_list<int64_t> factors) {
  return checked_product(std::span<const int64_t>(factors.begin(), factors.size()));
}

}  // namespace convkit

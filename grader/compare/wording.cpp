// SPDX-License-Identifier: MIT
#include "compare/wording.h"

#include <fmt/format.h>

#include <cmath>

namespace convkit {
namespace {

bool is_plain(double value) {
  const double size = std::fabs(value);
  return size == 0 || (size >= 1e-2 && size < 1e5) || !std::isfinite(value);
}

}  // namespace

std::string counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string expected_and_got(double expected, double got) {
  const bool whole = expected == std::trunc(expected) && got == std::trunc(got) &&
                     std::fabs(expected) < 1e6 && std::fabs(got) < 1e6;
  if (whole) return fmt::format("expected {:.0f}, got {:.0f}", expected, got);
  const std::string fixed = fmt::format("{:.5f}", expected);
  if (is_plain(expected) && is_plain(got) && fixed != fmt::format("{:.5f}", got)) {
    return fmt::format("expected {}, got {:.5f}", fixed, got);
  }
  // Nine significant digits tell any two floats apart.
  return fmt::format("expected {:.9g}, got {:.9g}", expected, got);
}

std::string times_allowed(double ratio) {
  if (std::isinf(ratio)) return "infinite";
  if (ratio < 10) return fmt::format("{:.1f}x the allowed error", ratio);
  if (ratio < 1e6) return fmt::format("{:.0f}x the allowed error", ratio);
  return fmt::format("{:.1e}x the allowed error", ratio);
}

std::string element_name(const std::string& tensor, const std::vector<int64_t>& dims,
                         int64_t index) {
  std::vector<int64_t> at(dims.size());
  for (size_t i = dims.size(); i-- > 0; index /= dims[i]) at[i] = index % dims[i];
  return fmt::format("{}[{}]", tensor, fmt::join(at, ","));
}

std::string listed(const std::vector<int64_t>& numbers) {
  constexpr size_t kMost = 8;
  std::string text;
  const size_t shown = numbers.size() <= kMost ? numbers.size() : kMost - 2;
  for (size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == numbers.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", numbers[i]);
  }
  if (shown < numbers.size()) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

}  // namespace convkit

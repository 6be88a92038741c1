// SPDX-License-Identifier: MIT
#include "profile/card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

constexpr Card kCards[] = {
    {"h200", "an H200", "sm_90", 132, 64, 32, 228 << 10, 1024, 67e3, 2, 4800},
    {"h100", "an H100 (SXM)", "sm_90", 132, 64, 32, 228 << 10, 1024, 67e3, 2, 3350},
    {"a100", "an A100", "sm_80", 108, 64, 32, 164 << 10, 1024, 19.5e3, 2, 2039},
    {"l4", "an L4", "sm_89", 58, 48, 24, 100 << 10, 1024, 30.3e3, 64, 300},
    {"l40s", "an L40S", "sm_89", 142, 48, 24, 100 << 10, 1024, 91.6e3, 64, 864},
    {"rtx4090", "an RTX 4090", "sm_89", 128, 48, 24, 100 << 10, 1024, 82.6e3, 64, 1008},
    {"rtx3090", "an RTX 3090", "sm_86", 82, 48, 16, 100 << 10, 1024, 35.6e3, 64, 936},
    {"t4", "a T4", "sm_75", 40, 32, 16, 64 << 10, 0, 8.1e3, 32, 320},
};

}  // namespace

std::span<const Card> cards() {
  return kCards;
}

std::string known_cards() {
  std::vector<std::string> known;
  for (const Card& card : kCards) known.emplace_back(card.option);
  return fmt::format("{}", fmt::join(known, ", "));
}

const Card& card_named(const std::string& option) {
  const auto found =
      std::ranges::find_if(kCards, [&](const Card& card) { return card.option == option; });
  if (found != std::end(kCards)) return *found;
  throw UsageError(
      fmt::format("There are no figures of a card `{}`. Known are {}.", option, known_cards()));
}

}  // namespace convkit
